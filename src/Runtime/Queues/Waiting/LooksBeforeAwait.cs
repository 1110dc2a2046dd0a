namespace BufferedMessages.Queues;

/// <summary>
/// Whether an asynchronous wait looks for some 20 microseconds before it gives its thread back, or for less than one. The time of a wait would not tell: the way back to
/// a thread takes longer than that, and varies. So it looks while one of the last looks paid, and otherwise tries from time to time.
/// </summary>
internal struct LooksBeforeAwait
{
    private const uint VainLooks = 4;
    private const uint TriesOneIn = 16;

    private uint _vain;

    /// <summary>Whether the next wait is to look for longer.</summary>
    public readonly bool AreWorthwhile => _vain < VainLooks || _vain % TriesOneIn == 0;

    /// <summary>Learns from the looks of a wait.</summary>
    /// <param name="found">Whether they found a message, or room.</param>
    public void Count(bool found) => _vain = found ? 0 : _vain + 1;
}
