namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A random type and the code that its program made to check it.</summary>
public abstract class MessageCase
{
    /// <summary>Checks one random value: size, bytes, view and copy.</summary>
    public abstract void RoundTrip(ArbitraryValues values);

    /// <summary>Makes a message of a random value.</summary>
    public abstract byte[] MakeMessage(ArbitraryValues values);

    /// <summary>Whether every member that can be null in a message can be null in the object too.</summary>
    public abstract bool HoldsEveryNull { get; }

    /// <summary>Verifies a message.</summary>
    public abstract bool Verify(ReadOnlySpan<byte> message, out MessageError error, bool exact);

    /// <summary>The schema text of the messages.</summary>
    public abstract string SchemaText { get; }

    /// <summary>Checks that the view of a verified message and a copy of it are the same, and writes the copy.</summary>
    public abstract byte[] CopyVerified(ReadOnlySpan<byte> message);

    /// <summary>Reads a whole message through its view, then copies it.</summary>
    public abstract void ReadEverything(ReadOnlySpan<byte> message);
}

/// <summary>What a generated program derives from for each of its types.</summary>
public abstract class MessageCase<TSource> : MessageCase
    where TSource : IBufferedMessageSource<TSource>
{
    private const byte Untouched = 0xEE;
    private const int Spare = 64;

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
        AssertView(source, message);
        var copy = Copy(message);
        AssertView(copy, message);
        AssertWritesAgain(copy, message);
        AssertWritesAgain(source, message);
        AssertNeedsEveryByte(source, size);
    }

    public override byte[] MakeMessage(ArbitraryValues values) => Make(values).ToMessageArray();

    public override void ReadEverything(ReadOnlySpan<byte> message)
    {
        Walk(message, new Walker());
        Copy(message);
    }

    public override string SchemaText => TSource.Schema.Text;

    public override byte[] CopyVerified(ReadOnlySpan<byte> message)
    {
        var copy = Copy(message);
        AssertView(copy, message);
        return copy.ToMessageArray();
    }

    protected abstract TSource Make(ArbitraryValues values);

    protected abstract void AssertView(TSource expected, ReadOnlySpan<byte> message);

    protected abstract TSource Copy(ReadOnlySpan<byte> message);

    protected abstract void Walk(ReadOnlySpan<byte> message, Walker walker);

    private static void AssertWritesAgain(TSource source, byte[] message)
    {
        var again = new byte[message.Length];
        again.AsSpan().Fill(Untouched);
        Assert.Equal(message.Length, source.CalculateSize());
        Assert.Equal(message.Length, source.Write(again));
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
}
