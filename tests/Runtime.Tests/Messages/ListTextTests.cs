using System.Diagnostics;
using System.Reflection;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>What people and debuggers see of lists and dictionaries.</summary>
public class ListTextTests
{
    private static ParcelBufferedMessage Full => new(Parcel.Full().ToMessageArray());

    [Fact]
    public void A_list_shows_its_elements()
    {
        Assert.Equal("[a name of some length, null, b, ]", Full.Names.ToString());
        Assert.Equal("[True, False]", Full.Flags.ToString());
        Assert.Equal("[[1, 2], [3]]", Full.Matrix.ToString());
        Assert.Equal("{one: 1, two: 2}", Full.Counts.ToString());
        Assert.Equal("[" + string.Join(", ", Full.Stamps[0].ToString(), Full.Stamps[1].ToString()) + "]", Full.Stamps.ToString());
    }

    [Fact]
    public void Null_and_empty_are_told_apart()
    {
        Assert.Equal("null", new ParcelBufferedMessage(new Parcel().ToMessageArray()).Stamps.ToString());
        Assert.Equal("[]", new ParcelBufferedMessage(new Parcel { Stamps = [] }.ToMessageArray()).Stamps.ToString());
    }

    [Fact]
    public void A_long_list_is_cut()
    {
        var names = Enumerable.Repeat("a name of some length", 5000).ToArray();

        var text = new ParcelBufferedMessage(new Parcel { Names = names }.ToMessageArray()).Names.ToString();

        Assert.InRange(text.Length, 1000, 1010);
        Assert.EndsWith("...]", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_list_whose_elements_are_the_same_bytes_takes_the_memory_of_one()
    {
        const int Count = 1000;
        var message = new Parcel { Names = [.. new string?[Count - 1], new string('x', 100_000)] }.ToMessageArray();
        var slots = message.AsSpan(message.AsSpan().IndexOf("xxxxxxxx"u8) - (Count * 8), Count * 8);
        for (var i = 0; i < Count; i++)
        {
            slots[^8..].CopyTo(slots[(i * 8)..]);
        }

        var names = new ParcelBufferedMessage(message).Names;
        var before = GC.GetAllocatedBytesForCurrentThread();
        var text = names.ToString();

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10 * message.Length);
        Assert.Equal("[" + new string('x', 999) + "...]", text);
    }

    [Fact]
    public void The_debugger_gets_the_items()
    {
        Assert.Equal(["a name of some length", "null", "b", ""], new BufferedList<BufferedString>.DebugView(Full.Names).Items);
        Assert.Equal(["one: 1", "two: 2"], new BufferedStringDictionary<int, BufferedSpan<int>>.DebugView(Full.Counts).Items);
    }

    [Fact]
    public void Every_list_view_has_a_debug_view()
    {
        var views = typeof(BufferedList<>).Assembly.GetExportedTypes()
            .Where(static type => type.IsByRefLike && !type.IsNested && type.GetProperty("Count") is not null && !type.Name.Contains("Writer", StringComparison.Ordinal))
            .ToList();

        Assert.InRange(views.Count, 9, 30);
        Assert.All(views, static type =>
        {
            Assert.NotNull(type.GetCustomAttribute<DebuggerDisplayAttribute>());
            var proxy = Type.GetType(type.GetCustomAttribute<DebuggerTypeProxyAttribute>()!.ProxyTypeName)!;
            Assert.Same(type, proxy.DeclaringType);
        });
    }
}
