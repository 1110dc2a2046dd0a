namespace BufferedMessages;

/// <summary>The counts of one size of blocks that threads keep, in buffers.</summary>
/// <param name="Taken">Rentals that found a block of their thread.</param>
/// <param name="Put">Returned blocks that a thread kept.</param>
/// <param name="Free">Blocks that are kept now.</param>
internal readonly record struct ThreadBlockCounts(long Taken, long Put, int Free)
{
    public static ThreadBlockCounts operator +(ThreadBlockCounts left, ThreadBlockCounts right) =>
        new(left.Taken + right.Taken, left.Put + right.Put, left.Free + right.Free);
}
