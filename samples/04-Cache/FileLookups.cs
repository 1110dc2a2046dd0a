using BufferedMessages.Caching;

namespace BufferedMessages.Samples.Caching;

/// <summary>Looks files up by their paths: in the cache first, and on a miss in the tree. One thread looks up; others may read the counts.</summary>
internal sealed class FileLookups(MessageCache<string> cache)
{
    /// <summary>The number of hits during which the process warms up: they read the schema from the disk, and the runtime prepares its locks.</summary>
    public const int FirstHits = 1_000;

    private readonly FileContent _message = new();
    private long _hits;
    private long _hitBytes;
    private long _hitAllocated;

    /// <summary>Gets the number of files that were in the cache.</summary>
    public long Hits => Volatile.Read(ref _hits);

    /// <summary>Gets the bytes of content that were read in place.</summary>
    public long HitBytes => Volatile.Read(ref _hitBytes);

    /// <summary>Gets the managed bytes that hits have allocated, except for the first thousand: from the lookup to the end of the lease.</summary>
    public long HitAllocated => Volatile.Read(ref _hitAllocated);

    /// <summary>Gets the managed bytes that the first hits have allocated in all.</summary>
    public long FirstHitsAllocated { get; private set; }

    /// <summary>Gets the number of files that were not in the cache.</summary>
    public long Misses { get; private set; }

    /// <summary>Gets the number of files that have changed since they were set; they are misses too.</summary>
    public long Changed { get; private set; }

    /// <summary>Gets the number of files that cannot be read any more, or not by this user.</summary>
    public long Unreadable { get; private set; }

    /// <summary>Gets the number of contents that differ from the value that was set. There must be none.</summary>
    public long Wrong { get; private set; }

    public long Count => Hits + Misses;

    /// <summary>Looks a file up.</summary>
    public void LookUp(in TreeFile file)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        if (TryReadInPlace(in file))
        {
            CountHit(GC.GetAllocatedBytesForCurrentThread() - before);
            return;
        }

        Misses++;
        Load(in file);
    }

    // Nothing is copied: the lines are counted in the mapped bytes.
    private bool TryReadInPlace(in TreeFile file)
    {
        if (!cache.TryGet<FileContentBufferedMessage>(file.Path, out var lease))
        {
            return false;
        }

        using (lease)
        {
            var message = lease.Message;
            if (message.LastWrittenUtc != file.LastWrittenUtc)
            {
                Changed++;
                return false;
            }

            var content = message.Content;
            if (content.Count((byte)'\n') != message.Lines)
            {
                Wrong++;
            }

            _hitBytes += content.Length;
            return true;
        }
    }

    private void CountHit(long allocated)
    {
        if (_hits < FirstHits)
        {
            FirstHitsAllocated += allocated;
        }
        else
        {
            _hitAllocated += allocated;
        }

        Volatile.Write(ref _hits, _hits + 1);
    }

    private void Load(in TreeFile file)
    {
        try
        {
            _message.Content = File.ReadAllBytes(file.Path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Unreadable++;
            return;
        }

        _message.Lines = _message.Content.AsSpan().Count((byte)'\n');
        _message.LastWrittenUtc = file.LastWrittenUtc;
        try
        {
            cache.Set(file.Path, _message);
        }
        catch (CacheEntryTooLargeException)
        {
            // The file has grown since the tree was listed, so it is read each time.
        }
    }
}
