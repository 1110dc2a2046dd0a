namespace BufferedMessages.Caching;

/// <summary>A cell of the table of <see cref="HotCopies"/>, and the word that was found in it.</summary>
internal readonly struct HotCopy
{
    // SAFETY: the table computes the address of one of its cells.
    public unsafe HotCopy(ulong* cell, ulong word)
    {
        Cell = cell;
        Word = word;
    }

    // SAFETY: the table is pinned memory that the copies refer to.
    public unsafe ulong* Cell { get; }

    public ulong Word { get; }
}
