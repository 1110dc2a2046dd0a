using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>
/// The bytes of an entry, in place, until the lease is disposed: they stay as they are, whatever is set, removed, cleared or closed meanwhile. Dispose it soon: its segment
/// cannot be reused before. Any number can be open at the same time, up to 4096 in a process. Disposing it twice, or disposing a copy, does no harm.
/// </summary>
public unsafe ref struct CacheLease
{
    /// <summary>What the engine gave. A field, so that the engine can write it here.</summary>
    internal EntryLease Entry;

    internal CacheLease(EntryLease entry) => Entry = entry;

    /// <summary>The value, aligned to 8 bytes. Valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Value
    {
        get
        {
            RequireHeld();
            return new ReadOnlySpan<byte>(Entry.Record.Value, Entry.Record.ValueBytes);
        }
    }

    /// <summary>When the entry expires; null for never.</summary>
    /// <remarks>
    /// Of an entry that is read in place this is the time as it stands now, unless its key was set again or it was carried to another segment: later changes are those of the new place.
    /// Of an entry that was copied, which small ones are when the memory budget is used up, it is the time as it stood when it was found: neither that read nor a later touch changes it.
    /// </remarks>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    public readonly DateTimeOffset? ExpiresAt
    {
        get
        {
            RequireHeld();
            return Entry.Record.ReadTimes().First is var first && first != ExpiryTimes.Never ? DateTimeOffset.FromUnixTimeMilliseconds(first) : null;
        }
    }

    /// <summary>The key as bytes.</summary>
    internal readonly ReadOnlySpan<byte> Key
    {
        get
        {
            RequireHeld();
            return Entry.Record.Key;
        }
    }

    /// <summary>The fingerprint of the message's schema; 0 when the value is none.</summary>
    internal readonly ulong Schema
    {
        get
        {
            RequireHeld();
            return Entry.Record.Schema;
        }
    }

    /// <summary>Gives the memory back.</summary>
    public readonly void Dispose() => Entry.Store?.Return(Entry.Ticket);

    private readonly void RequireHeld()
    {
        if (Entry.Store is null || !Entry.Ticket.IsHeld)
        {
            ThrowDisposed();
        }

        // The cell is its memory.
        GC.KeepAlive(Entry.Store);
    }

    [DoesNotReturn]
    private static void ThrowDisposed() => throw new ObjectDisposedException(nameof(CacheLease), "The lease of the cache entry is disposed: read the value before.");
}
