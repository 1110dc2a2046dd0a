namespace BufferedMessages.Caching;

/// <summary>
/// Counts, for each segment, the changes of its records' expiries, so that a thread that has copied records knows whether their expiries are still current. Thread-safe.
/// </summary>
/// <remarks>
/// A thread changes an expiry, counts the change, and then looks whether the entry still leads to the record. The thread that moves the entry makes it lead to the copy, and then looks at the count.
/// So at least one of the two sees the other.
/// </remarks>
/// <param name="slots">The number of slots.</param>
internal sealed class ExpiryChanges(int slots)
{
    private readonly int[] _counts = new int[slots];

    /// <summary>Gets the number of changes.</summary>
    public int Of(int slot) => Volatile.Read(ref _counts[slot]);

    /// <summary>Counts a change.</summary>
    public void Count(int slot) => Interlocked.Increment(ref _counts[slot]);
}
