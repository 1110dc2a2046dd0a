using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>The queues and caches below folders, which are looked for again from time to time. Serves one thread at a time.</summary>
/// <param name="folders">The folders, queues and caches; without any, the queues in shared memory.</param>
/// <param name="token">Ends a search.</param>
internal sealed class WatchedFolders(IReadOnlyList<string> folders, CancellationToken token) : IDisposable
{
    private static readonly TimeSpan SearchPause = TimeSpan.FromSeconds(5);

    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly SortedDictionary<string, WatchedQueue> _queues = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, WatchedCache> _caches = new(StringComparer.Ordinal);
    private TimeSpan _nextSearch;

    /// <summary>Gets the queues, in the order of their paths.</summary>
    public IReadOnlyCollection<WatchedQueue> Queues => _queues.Values;

    /// <summary>Gets the caches, in the order of their paths.</summary>
    public IReadOnlyCollection<WatchedCache> Caches => _caches.Values;

    /// <summary>Gets the time since the beginning.</summary>
    public TimeSpan Now => Stopwatch.GetElapsedTime(_start);

    /// <summary>Takes a sample of each.</summary>
    public void Sample()
    {
        if (Now >= _nextSearch)
        {
            Search();
            _nextSearch = Now + SearchPause;
        }

        foreach (var queue in Queues)
        {
            token.ThrowIfCancellationRequested();
            queue.Sample(Now);
        }

        foreach (var cache in Caches)
        {
            cache.Sample(Now);
        }
    }

    public void Dispose()
    {
        foreach (var queue in Queues)
        {
            queue.Dispose();
        }
    }

    private void Search()
    {
        var found = (folders.Count == 0 ? TargetListing.Shared() : folders.SelectMany(Find)).DistinctBy(static target => target.Path).ToList();
        Follow(_queues, found.Where(static target => target.Kind == TargetKind.Queue), static path => new WatchedQueue(path), static queue => queue.Dispose());
        Follow(_caches, found.Where(static target => target.Kind == TargetKind.Cache), static path => new WatchedCache(path), static _ => { });
    }

    // A folder may be gone for a while.
    private IEnumerable<Target> Find(string folder)
    {
        try
        {
            return [.. TargetListing.In(folder, isRecursive: true, token)];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static void Follow<T>(SortedDictionary<string, T> watched, IEnumerable<Target> found, Func<string, T> begin, Action<T> end)
    {
        var paths = found.Select(static target => target.Path).ToHashSet(StringComparer.Ordinal);
        foreach (var gone in watched.Keys.Where(path => !paths.Contains(path)).ToList())
        {
            end(watched[gone]);
            watched.Remove(gone);
        }

        foreach (var path in paths.Where(path => !watched.ContainsKey(path)))
        {
            watched.Add(path, begin(path));
        }
    }
}
