using System.Collections.Immutable;
using System.Reflection;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary><c>ToX()</c> restores members, and keeps or replaces nulls.</summary>
public sealed class CopyTests
{
    [Fact]
    public void An_initializer_stays_where_the_message_has_null_and_the_member_is_never_null()
    {
        var job = Create("Shop.Job", nameof(Features.InitAndRequired), ("Name", "a"), ("Queue", null), ("Steps", null), ("Children", null));

        var copy = GeneratedSource.RoundTrip(job);

        Assert.Equal("default", Get(copy, "Queue"));
        Assert.Equal(new List<int> { 1 }, Get(copy, "Steps"));
        Assert.Empty((Array)Get(copy, "Children")!);
        Assert.Equal("a", Get(copy, "Name"));
    }

    [Fact]
    public void Values_replace_initializers()
    {
        var job = Create("Shop.Job", nameof(Features.InitAndRequired), ("Name", "a"), ("Queue", "slow"), ("Steps", new List<int> { 3, 4 }));

        var copy = GeneratedSource.RoundTrip(job);

        Assert.Equal("slow", Get(copy, "Queue"));
        Assert.Equal(new List<int> { 3, 4 }, Get(copy, "Steps"));
    }

    [Fact]
    public void A_positional_record_equals_its_copy()
    {
        var type = Load(nameof(Features.RecordStruct)).GetType("Shop.Money", throwOnError: true)!;
        var money = Activator.CreateInstance(type, 12.5m, "EUR")!;

        Assert.Equal(money, GeneratedSource.RoundTrip(money));
    }

    [Fact]
    public void Constructor_parameters_set_get_only_members()
    {
        var type = Load(nameof(Features.GetOnlyMembers)).GetType("Shop.Range", throwOnError: true)!;
        var copy = GeneratedSource.RoundTrip(Activator.CreateInstance(type, 3, 4)!);

        Assert.Equal(7, Get(copy, "End"));
    }

    [Fact]
    public void Private_setters_and_constructors_are_used()
    {
        var type = Load(nameof(Features.PrivateSettersAndConstructor)).GetType("Shop.Account", throwOnError: true)!;
        var copy = GeneratedSource.RoundTrip(type.GetMethod("Open")!.Invoke(null, [7, "Ann"])!);

        Assert.Equal((7, "Ann"), (Get(copy, "Number"), Get(copy, "Owner")));
    }

    [Fact]
    public void A_source_without_a_fitting_constructor_has_no_method_to_copy()
    {
        var assembly = Load(nameof(Features.NoConstructor));
        var closed = Activator.CreateInstance(assembly.GetType("Shop.Closed", throwOnError: true)!, 5)!;

        Assert.Null(assembly.GetType("Shop.ClosedBufferedMessage", throwOnError: true)!.GetMethod("ToClosed"));
        Assert.Throws<NotSupportedException>(() => GeneratedSource.RoundTrip(closed));
    }

    [Theory]
    [InlineData("MaybeImmutableArray")]
    [InlineData("MaybeMemory")]
    [InlineData("Array")]
    [InlineData("IEnumerable")]
    [InlineData("Strings")]
    public void Null_collections_stay_null(string member) =>
        Assert.Null(Get(GeneratedSource.RoundTrip(Create("Shop.Lists", nameof(Features.Lists))), member));

    [Fact]
    public void Empty_collections_stay_empty()
    {
        var copy = GeneratedSource.RoundTrip(Create(
            "Shop.Lists",
            nameof(Features.Lists),
            ("Array", Array.Empty<int>()),
            ("MaybeImmutableArray", ImmutableArray<short>.Empty),
            ("MaybeMemory", Memory<int>.Empty)));

        Assert.Empty((int[])Get(copy, "Array")!);
        Assert.Empty((ImmutableArray<short>)Get(copy, "MaybeImmutableArray")!);
        Assert.True(((Memory<int>)Get(copy, "MaybeMemory")!).IsEmpty);
    }

    [Fact]
    public void Padding_of_structs_is_zero_in_the_message()
    {
        var shapes = Create("Shop.Shapes", nameof(Features.Structs));
        var padded = GarbagePadded(shapes.GetType().Assembly.GetType("Shop.Padded", throwOnError: true)!);
        var clean = GeneratedSource.Write(shapes);
        foreach (var member in new[] { "Padded", "MaybePadded", "PaddedList", "MaybePaddedList", "PaddedLists" })
        {
            Set(shapes, member, null);
        }

        Set(shapes, "Padded", padded);

        Assert.Equal(clean, GeneratedSource.Write(shapes));
    }

    // A value with zero fields and non-zero padding.
    private static object GarbagePadded(Type type) =>
        typeof(CopyTests).GetMethod(nameof(GarbageCore), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type).Invoke(null, null)!;

    private static object GarbageCore<T>()
        where T : unmanaged
    {
        var value = default(T);
        var bytes = System.Runtime.InteropServices.MemoryMarshal.AsBytes(new Span<T>(ref value));
        bytes[1..4].Fill(0xFF);
        bytes[10..12].Fill(0xFF);
        return value;
    }

    private static Assembly Load(string feature) => Features.Project(feature).Generate().Load();

    private static object Create(string type, string feature, params (string Member, object? Value)[] members)
    {
        var source = Activator.CreateInstance(Load(feature).GetType(type, throwOnError: true)!)!;
        foreach (var (member, value) in members)
        {
            Set(source, member, value);
        }

        return source;
    }

    private static void Set(object source, string member, object? value) => source.GetType().GetProperty(member)!.SetValue(source, value);

    private static object? Get(object source, string member) => source.GetType().GetProperty(member)!.GetValue(source);
}
