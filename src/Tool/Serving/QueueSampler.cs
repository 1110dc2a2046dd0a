using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>
/// Samples all queues once a second, for all pages together, while a page is connected. Some time after the last one left, it closes the queues. Thread-safe.
/// </summary>
internal sealed class QueueSampler : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    // The first rates of a queue are those of this time.
    private static readonly TimeSpan FirstInterval = TimeSpan.FromMilliseconds(250);

    // How long queues stay open after the last page left: a page that is loaded again finds its last minutes.
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(30);

    private readonly ServedFolders _folders;
    private readonly CancellationTokenSource _end;
    private readonly SemaphoreSlim _demand = new(0);
    private readonly SortedDictionary<string, SampledQueue> _queues = new(StringComparer.Ordinal);
    private readonly Task _work;
    private TaskCompletionSource<QueueSamples> _next = NewPromise();
    private QueueSamples _last = NoSamples();
    private long _number;
    private int _pages;

    /// <param name="folders">Where the queues are.</param>
    /// <param name="token">Ends the work.</param>
    public QueueSampler(ServedFolders folders, CancellationToken token)
    {
        _folders = folders;
        _end = CancellationTokenSource.CreateLinkedTokenSource(token);
        _work = Task.Run(() => WorkAsync(_end.Token), CancellationToken.None);
    }

    /// <summary>Gets the last sample; an empty one with the number 0 if no page was connected for some time.</summary>
    public QueueSamples Last => Volatile.Read(ref _last);

    /// <summary>Connects a page.</summary>
    /// <returns>Disposed when the page leaves.</returns>
    public IDisposable Join()
    {
        Interlocked.Increment(ref _pages);
        _demand.Release();
        return new Page(this);
    }

    /// <summary>Waits for a sample that is later than a known one.</summary>
    public Task<QueueSamples> AfterAsync(long number)
    {
        var next = Volatile.Read(ref _next).Task;
        var last = Last;
        return last.Number > number ? Task.FromResult(last) : next;
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _work.ConfigureAwait(false);
        _end.Dispose();
        _demand.Dispose();
    }

    private static QueueSamples NoSamples() => new(0, default, []);

    private static TaskCompletionSource<QueueSamples> NewPromise() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private async Task WorkAsync(CancellationToken token)
    {
        try
        {
            while (true)
            {
                // A page may have come and left while another one was connected.
                await _demand.WaitAsync(token).ConfigureAwait(false);
                if (Volatile.Read(ref _pages) > 0)
                {
                    await SampleWhileDemandedAsync(token).ConfigureAwait(false);
                    Forget();
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The command ends.
        }
        finally
        {
            Forget();
            Volatile.Read(ref _next).TrySetCanceled(CancellationToken.None);
        }
    }

    private async Task SampleWhileDemandedAsync(CancellationToken token)
    {
        var lastDemand = Stopwatch.GetTimestamp();
        while (Volatile.Read(ref _pages) > 0 || Stopwatch.GetElapsedTime(lastDemand) < Rest)
        {
            var start = Stopwatch.GetTimestamp();
            if (Volatile.Read(ref _pages) > 0)
            {
                lastDemand = start;
            }

            if (Open(token))
            {
                await Task.Delay(FirstInterval, token).ConfigureAwait(false);
            }

            Publish();
            var rest = Interval - Stopwatch.GetElapsedTime(start);
            await Task.Delay(rest > TimeSpan.Zero ? rest : TimeSpan.Zero, token).ConfigureAwait(false);
        }
    }

    // Whether a queue was opened now.
    private bool Open(CancellationToken token)
    {
        var found = _folders.List(token).Where(static served => served.Target.Kind == TargetKind.Queue).ToDictionary(static served => served.Target.Path, StringComparer.Ordinal);
        foreach (var gone in _queues.Keys.Where(path => !found.ContainsKey(path)).ToList())
        {
            _queues.Remove(gone, out var queue);
            queue!.Dispose();
        }

        foreach (var (path, served) in found)
        {
            _queues.TryAdd(path, new SampledQueue(served));
        }

        var isOpened = false;
        foreach (var queue in _queues.Values)
        {
            token.ThrowIfCancellationRequested();
            isOpened |= queue.TryOpen();
        }

        return isOpened;
    }

    private void Publish()
    {
        var samples = new QueueSamples(++_number, DateTimeOffset.UtcNow, [.. _queues.Values.Select(static queue => new QueueSample(queue.Served.Target.Path, queue.Sample(), queue.History))]);
        Volatile.Write(ref _last, samples);
        var promise = Interlocked.Exchange(ref _next, NewPromise());
        promise.TrySetResult(samples);
    }

    private void Forget()
    {
        foreach (var queue in _queues.Values)
        {
            queue.Dispose();
        }

        _queues.Clear();

        // The minutes before are not the last ones of a page that comes later.
        Volatile.Write(ref _last, NoSamples());
    }

    private sealed class Page(QueueSampler sampler) : IDisposable
    {
        private int _isDisposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            {
                Interlocked.Decrement(ref sampler._pages);
            }
        }
    }
}
