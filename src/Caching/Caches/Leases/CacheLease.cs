using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>
/// The bytes of an entry, in place. They do not change until the lease is disposed, even if the entry is set again or removed, or the cache is cleared or disposed. Dispose it soon: its
/// segment cannot be reused until then. Up to 4096 leases can be open in a process. It is safe to dispose a lease twice, or to dispose a copy.
/// </summary>
public ref struct CacheLease
{
    /// <summary>The lease of the engine, which constructs it in this field.</summary>
    internal EntryLease Entry;

    internal CacheLease(EntryLease entry) => Entry = entry;

    /// <summary>Gets the value, aligned to 8 bytes. Valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Value
    {
        get
        {
            RequireHeld();
            return Entry.Record.Value;
        }
    }

    /// <summary>Gets the time at which the entry expires; null if it never does, or if its time is damaged.</summary>
    /// <remarks>
    /// For an entry that is read in place, this is the current time, until its key is set again or its record is copied to another segment.
    /// When the memory budget is used up, a small entry is read in a copy. This is then the time that it had when it was found; neither that read nor a later touch changes it.
    /// </remarks>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    public readonly DateTimeOffset? ExpiresAt
    {
        get
        {
            RequireHeld();
            return ExpiryWord.TryRead(Volatile.Read(ref Entry.Record.Expiry), out var first) && first != ExpiryTimes.Never ? DateTimeOffset.FromUnixTimeMilliseconds(first) : null;
        }
    }

    /// <summary>Gets the key as bytes.</summary>
    internal readonly ReadOnlySpan<byte> Key
    {
        get
        {
            RequireHeld();
            return Entry.Record.Key;
        }
    }

    /// <summary>Gets the fingerprint of the message's schema; 0 if the value is not a message.</summary>
    internal readonly ulong Schema
    {
        get
        {
            RequireHeld();
            return Entry.Record.Schema;
        }
    }

    /// <summary>Releases the entry.</summary>
    public readonly void Dispose() => Entry.Leases?.Return(Entry.Ticket);

    private readonly void RequireHeld()
    {
        if (Entry.Leases is null || !Entry.Ticket.IsHeld)
        {
            ThrowDisposed();
        }

        // The cell of the ticket is memory of the leases.
        GC.KeepAlive(Entry.Leases);
    }

    [DoesNotReturn]
    private static void ThrowDisposed() => throw new ObjectDisposedException(nameof(CacheLease), "The lease of the cache entry is disposed. Read the value before the lease is disposed, or copy it.");
}
