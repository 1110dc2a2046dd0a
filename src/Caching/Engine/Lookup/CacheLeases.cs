using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>The leases that this process holds of a cache. The memory that they keep is released when the cache is closed and the last lease is returned.</summary>
/// <param name="table">The cells of the leases.</param>
/// <param name="release">Releases the memory; called once.</param>
internal sealed class CacheLeases(LeaseTable table, Action release)
{
    private volatile bool _isClosed;
    private bool _isReleased;

    public LeaseTable Table { get; } = table;

    /// <summary>Returns a lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(LeaseTicket ticket)
    {
        LeaseTable.Return(ticket);
        if (_isClosed)
        {
            ReleaseUnlessHeld();
        }
    }

    /// <summary>Returns a lease that was not given to a user, and does not count it.</summary>
    public void Undo(LeaseTicket ticket)
    {
        LeaseTable.Undo(ticket);
        if (_isClosed)
        {
            ReleaseUnlessHeld();
        }
    }

    /// <summary>Releases the memory, at once or when the last lease is returned. The index is closed before: no read takes a lease and keeps it.</summary>
    public void Close()
    {
        // After the first fence every read shows its lease or finds the index closed; after the second one every lease that is returned is seen here, or sees that it is the last.
        Interlocked.MemoryBarrierProcessWide();
        _isClosed = true;
        Interlocked.MemoryBarrierProcessWide();
        ReleaseUnlessHeld();
    }

    private void ReleaseUnlessHeld()
    {
        Debug.Assert(_isClosed, "Reads may still take leases.");
        if (!Table.IsAnyHeld && !Interlocked.Exchange(ref _isReleased, true))
        {
            release();
        }
    }
}
