namespace BufferedMessages.Caching.Tests;

public sealed unsafe class KeptMemoryTests
{
    // No other test takes memory of this size.
    private const int Bytes = 8 * 1024 * 1024;

    [Fact]
    public void Memory_that_was_given_back_is_taken_again()
    {
        var memory = KeptMemory.Take(Bytes);
        new Span<byte>(memory, Bytes).Fill(0x5A);
        KeptMemory.GiveBack(memory, Bytes);

        Assert.Equal(-1, new ReadOnlySpan<byte>(memory, Bytes).IndexOfAnyExcept((byte)0, (byte)0x5A));
        Assert.True(KeptMemory.Take(Bytes) == memory);
        KeptMemory.GiveBack(memory, Bytes);
    }

    [LinuxFact]
    public void Memory_that_was_given_back_takes_no_pages()
    {
        var memory = KeptMemory.Take(Bytes / 2);
        new Span<byte>(memory, Bytes / 2).Fill(0x5A);
        KeptMemory.GiveBack(memory, Bytes / 2);

        Assert.Equal(-1, new ReadOnlySpan<byte>(memory, Bytes / 2).IndexOfAnyExcept((byte)0));
    }

    // Pages of 16 or 64 KB are larger than the room of a copied entry.
    [Fact]
    public void Memory_of_less_than_a_page_is_given_back_without_the_rest_of_its_page()
    {
        const int Pieces = 64;
        var bytes = Environment.SystemPageSize / 8;
        var pieces = new nint[Pieces];
        foreach (ref var piece in pieces.AsSpan())
        {
            piece = (nint)KeptMemory.Take((nuint)bytes);
            new Span<byte>((byte*)piece, bytes).Fill(0x5A);
        }

        foreach (var piece in pieces)
        {
            KeptMemory.GiveBack((byte*)piece, (nuint)bytes);
        }

        foreach (var piece in pieces)
        {
            Assert.Equal(-1, new ReadOnlySpan<byte>((byte*)piece, bytes).IndexOfAnyExcept((byte)0x5A));
        }
    }
}
