using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A random type and the code that its program made to check it.</summary>
public abstract class MessageCase
{
    /// <summary>Whether every member that can be null in a message can be null in the object too.</summary>
    public abstract bool HoldsEveryNull { get; }

    /// <summary>Whether a newer program makes the messages: they have members and cases that the type does not know.</summary>
    public virtual bool IsFromNewerWriter => false;

    /// <summary>Whether members of fixed size can be set in place.</summary>
    public virtual bool HasWriter => false;

    /// <summary>The schema of the messages, made of its text alone.</summary>
    public abstract MessageSchema Schema { get; }

    /// <summary>Checks one random value: size, bytes, view, copy and JSON.</summary>
    public abstract void RoundTrip(ArbitraryValues values);

    /// <summary>Makes a message of a random value.</summary>
    public abstract byte[] MakeMessage(ArbitraryValues values);

    /// <summary>Verifies a message.</summary>
    public abstract bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact);

    /// <summary>Checks that the view of a verified message and a copy of it are the same, and writes the copy.</summary>
    /// <exception cref="UnknownCaseException">A newer program wrote a case that the copy would lose.</exception>
    public abstract byte[] CopyVerified(ReadOnlySpan<byte> message);

    /// <summary>Reads a whole message through its view, then copies it.</summary>
    public abstract void ReadEverything(ReadOnlySpan<byte> message);

    /// <summary>Writes a message as JSON.</summary>
    public abstract void WriteJson(ReadOnlySpan<byte> message, Utf8JsonWriter json);

    /// <summary>Compares two messages by content.</summary>
    public abstract bool ContentEquals(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second);

    /// <summary>Sets all members of fixed size in place, if the type has a writer.</summary>
    public virtual void Edit(Span<byte> message, Editor editor)
    {
    }
}

/// <summary>What a generated program derives from for each of its types.</summary>
public abstract class MessageCase<TSource, TView> : MessageCase
    where TSource : IBufferedMessageSource<TSource>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private const byte Untouched = 0xEE;
    private const int Spare = 64;

    // A message whose root is a union that is null: nobody writes one, but it is valid.
    private static readonly byte[] NullUnion = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    public override MessageSchema Schema { get; } = MessageSchema.Parse(TSource.Schema.Text);

    public override void RoundTrip(ArbitraryValues values)
    {
        var source = Make(values);
        var size = source.CalculateSize();
        var buffer = new byte[size + Spare];
        buffer.AsSpan().Fill(Untouched);
        Assert.Equal(size, source.Write(buffer));
        Assert.True(buffer.AsSpan(size).IndexOfAnyExcept(Untouched) < 0, "Bytes behind the message were written.");
        var message = buffer[..size];

        Assert.True(Verify(message, out var error, exact: true), error.ToString());
        Assert.True(BufferedMessage.Verify(message, Schema, out error, exact: true), error.ToString());
        AssertView(source, View(message));
        var copy = Copy(View(message))!;
        AssertView(copy, View(message));
        AssertWritesAgain(copy, message);
        AssertWritesAgain(source, message);
        AssertNeedsEveryByte(source, size);
        AssertIsJson(message);
        if (HasWriter)
        {
            AssertWritesInPlace(source, message);
        }
    }

    public override byte[] MakeMessage(ArbitraryValues values) => Make(values).ToMessageArray();

    public override bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact) => BufferedMessage.Verify<TView>(message, out error, exact);

    public override void ReadEverything(ReadOnlySpan<byte> message)
    {
        var view = View(message);
        Walk(view, new Walker());
        Copy(view);
    }

    public override byte[] CopyVerified(ReadOnlySpan<byte> message)
    {
        var view = View(message);
        var copy = Copy(view);
        AssertView(copy, view);
        return copy is null ? NullUnion : copy.ToMessageArray();
    }

    public override void WriteJson(ReadOnlySpan<byte> message, Utf8JsonWriter json) => View(message).WriteJson(json);

    public override bool ContentEquals(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second) => View(first).ContentEquals(View(second));

    protected abstract TSource Make(ArbitraryValues values);

    protected abstract void AssertView(TSource? expected, TView view);

    /// <summary>Copies a message; null is a union that is null.</summary>
    protected abstract TSource? Copy(TView view);

    protected abstract void Walk(TView view, Walker walker);

    /// <summary>Writes a message member by member, without its object, if the type has a writer.</summary>
    protected virtual int WriteInPlace(TSource source, Span<byte> destination) => throw new NotSupportedException();

    private static TView View(ReadOnlySpan<byte> message) => BufferedMessage.Create<TView>(message);

    private static void AssertWritesAgain(TSource source, byte[] message)
    {
        Assert.Equal(message.Length, source.CalculateSize());
        AssertSameBytes(message, destination => source.Write(destination));
    }

    private void AssertWritesInPlace(TSource source, byte[] message) => AssertSameBytes(message, destination => WriteInPlace(source, destination));

    private static void AssertSameBytes(byte[] message, Func<byte[], int> write)
    {
        var again = new byte[message.Length];
        again.AsSpan().Fill(Untouched);
        Assert.Equal(message.Length, write(again));
        if (!again.AsSpan().SequenceEqual(message))
        {
            Assert.Equal(Convert.ToHexString(message), Convert.ToHexString(again));
        }
    }

    private static void AssertNeedsEveryByte(TSource source, int size)
    {
        var buffer = new byte[size + Spare];
        buffer.AsSpan().Fill(Untouched);
        Assert.Throws<ArgumentException>(() => source.Write(buffer.AsSpan(0, size - 1)));
        Assert.True(buffer.AsSpan(size - 1).IndexOfAnyExcept(Untouched) < 0, "Bytes behind the destination were written.");
    }

    private void AssertIsJson(byte[] message)
    {
        var ofView = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(ofView))
        {
            View(message).WriteJson(json);
        }

        var ofSchema = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(ofSchema))
        {
            BufferedMessage.WriteJson(message, Schema, json);
        }

        using var document = JsonDocument.Parse(ofView.WrittenMemory);
        Assert.Equal(JsonValueKind.Object, document.RootElement.ValueKind);
        Assert.True(ofView.WrittenSpan.SequenceEqual(ofSchema.WrittenSpan), "JSON by the schema differs from that of the view.");
    }
}
