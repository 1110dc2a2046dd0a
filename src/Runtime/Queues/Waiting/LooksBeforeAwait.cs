namespace BufferedMessages.Queues;

/// <summary>
/// Whether an asynchronous wait polls for some 20 microseconds before it releases its thread, or for less than one. The duration of a wait would not tell: resuming on
/// a thread takes longer than that, and varies. So it polls while one of the last polls paid off, and otherwise tries from time to time.
/// </summary>
internal struct LooksBeforeAwait
{
    private const uint VainLooks = 4;
    private const uint TriesOneIn = 16;

    private uint _vain;

    /// <summary>Whether the next wait polls for longer.</summary>
    public readonly bool AreWorthwhile => _vain < VainLooks || _vain % TriesOneIn == 0;

    /// <summary>Learns from the polls of a wait.</summary>
    /// <param name="found">Whether they found a message, or room.</param>
    public void Count(bool found) => _vain = found ? 0 : _vain + 1;
}
