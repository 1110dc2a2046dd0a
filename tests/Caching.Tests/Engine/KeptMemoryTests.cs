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
}
