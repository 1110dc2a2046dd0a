using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>
/// The index of a cache as this process sees it. The process that writes publishes each table here; a process that only reads follows the generation in the control file.
/// </summary>
internal sealed class CurrentIndex(CacheControl control, bool isReadOnly)
{
    private const long NoGeneration = -1;

    // A writer that is opening the cache may have to rebuild the index first.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly Lock _following = new();
    private IndexTable? _table;
    private volatile bool _isClosed;

    // The generation that did not appear in time: the next read does not wait for it again.
    private long _missing = NoGeneration;

    /// <summary>Gets the table to read and write.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    /// <exception cref="CacheCorruptedException">This process only reads, and the index file is missing or damaged.</exception>
    public IndexTable Table
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            var table = Volatile.Read(ref _table);
            return table is null || (isReadOnly && table.Generation != Generation) ? Follow() : table;
        }
    }

    /// <summary>Gets the table that was published last; null before the first one, and when the cache is disposed.</summary>
    public IndexTable? Published
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref _table);
    }

    /// <summary>Gets whether the cache is disposed.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Gets the bytes of the index file; 0 when there is none to read.</summary>
    public long Bytes
    {
        get
        {
            lock (_following)
            {
                try
                {
                    return TryFollow(out var table, out _, out _) ? table.Bytes : 0;
                }
                catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
                {
                    // A read throws it. Statistics, metrics and the closing of the cache continue.
                    return 0;
                }
            }
        }
    }

    private long Generation => Volatile.Read(ref control.Header.IndexGeneration);

    /// <summary>Publishes a table to all threads of this process.</summary>
    public void Publish(IndexTable table) => Volatile.Write(ref _table, table);

    /// <summary>Determines whether a table is still the one to read. A caller with a lease may then read the records to which the table leads.</summary>
    public bool IsCurrent(IndexTable table) => ReferenceEquals(Volatile.Read(ref _table), table) && (!isReadOnly || table.Generation == Generation);

    /// <summary>Withdraws the table: from now on a read either throws, or finds it withdrawn after it has taken its lease.</summary>
    public void Close()
    {
        _isClosed = true;
        lock (_following)
        {
            Volatile.Write(ref _table, null);
        }
    }

    // Waits for a moment, because a missing file may be normal: the writer deletes a table when it has published a larger one, and has none before it has opened the cache.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private IndexTable Follow()
    {
        var deadline = Environment.TickCount64 + (long)Patience.TotalMilliseconds;
        while (true)
        {
            // Not held while it sleeps: statistics and Dispose of another thread do not wait for the index.
            lock (_following)
            {
                if (TryFollow(out var table, out var generation, out var fault))
                {
                    return table;
                }

                if (_isClosed)
                {
                    throw CacheFailures.Disposed(control.Directory);
                }

                if (generation == _missing || Environment.TickCount64 > deadline)
                {
                    _missing = generation;
                    throw CacheCorruptedException.OfIndex(CacheFiles.Index(control.Directory, generation), fault);
                }
            }

            Thread.Sleep(1);
        }
    }

    private bool TryFollow([NotNullWhen(true)] out IndexTable? table, out long generation, out string fault)
    {
        generation = Generation;
        fault = "";
        table = _isClosed ? null : _table;
        if (isReadOnly && !_isClosed && table?.Generation != generation)
        {
            table = IndexTable.TryOpen(control.Directory, generation, FileAccess.Read, out fault);
            _table = table ?? _table;
            _missing = table is null ? _missing : NoGeneration;
        }

        return table is not null;
    }
}
