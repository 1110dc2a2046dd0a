namespace BufferedMessages.Caching;

/// <summary>A cell of the table of <see cref="HotCopies"/>.</summary>
/// <param name="cell">The cell.</param>
/// <param name="word">What it held.</param>
internal readonly unsafe struct HotCopy(ulong* cell, ulong word)
{
    public ulong* Cell { get; } = cell;

    public ulong Word { get; } = word;
}
