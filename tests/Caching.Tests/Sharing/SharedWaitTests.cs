using System.Diagnostics;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching.Tests;

/// <summary>Asynchronous changes while the process that owns a shared cache does not answer.</summary>
public sealed class SharedWaitTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly CacheExpiry Hour = CacheExpiry.After(TimeSpan.FromHours(1));
    private static readonly DistributedCacheEntryOptions DistributedHour = new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) };

    private readonly CacheDirectory _directory = new();
    private readonly HeldClock _clock = new();
    private MessageCache<string>? _owner;

    public void Dispose()
    {
        _clock.Release();
        _owner?.Dispose();
        _directory.Dispose();
        _clock.Dispose();
    }

    [Fact]
    public async Task They_hold_no_thread()
    {
        const int Each = 60;
        var owner = OpenHeld();
        using var other = Open();
        var distributed = new MessageDistributedCache(other);
        using var pieces = Pieces();
        var changes = new List<Task> { HoldOwner(other) };
        for (var i = 0; i < Each; i++)
        {
            changes.Add(other.SetAsync($"bytes {i}", BitConverter.GetBytes(i), Hour).AsTask());
            changes.Add(distributed.SetAsync($"pieces {i}", pieces.GetReadOnlySequence(), DistributedHour).AsTask());
            changes.Add(distributed.RemoveAsync($"none {i}"));
            changes.Add(distributed.RefreshAsync($"none {i}"));
            changes.Add(other.GetOrCreateAsync($"number {i}", (_, _) => ValueTask.FromResult(1), new NumberSerializer(), Hour).AsTask());
            changes.Add(other.GetOrCreateAsync<OrderBufferedMessage, Order>($"order {i}", (_, _) => ValueTask.FromResult(new Order { Id = 7 }), static view => view.ToOrder(), Hour).AsTask());
        }

        Assert.True(SpinWait.SpinUntil(static () => ThreadPool.PendingWorkItemCount == 0, Generous), "Work of the thread pool waits for a thread.");
        Assert.All(changes, static change => Assert.False(change.IsCompleted));

        _clock.Release();
        await Task.WhenAll(changes);
        for (var i = 0; i < Each; i++)
        {
            Assert.Equal(BitConverter.GetBytes(i), owner.Read($"bytes {i}")!);
            Assert.Equal(pieces.ToArray(), owner.Read($"pieces {i}")!);
            Assert.True(owner.TryGet($"number {i}", new NumberSerializer(), out _));
            Assert.True(owner.TryGet<OrderBufferedMessage, int>($"order {i}", static view => (int)view.Id, out var id));
            Assert.Equal(7, id);
        }
    }

    [Fact]
    public async Task A_token_ends_them()
    {
        OpenHeld();
        using var other = Open();
        var distributed = new MessageDistributedCache(other);
        using var stop = new CancellationTokenSource();
        var first = HoldOwner(other);
        Task[] changes =
        [
            other.SetAsync("a", new byte[] { 1 }, Hour, stop.Token).AsTask(),
            distributed.SetAsync("b", [2], DistributedHour, stop.Token),
            distributed.RefreshAsync("c", stop.Token),
            distributed.RemoveAsync("d", stop.Token),
        ];

        await stop.CancelAsync();

        foreach (var change in changes)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => change);
        }

        _clock.Release();
        await first;
    }

    [Fact]
    public async Task Closing_the_cache_ends_them()
    {
        OpenHeld();
        var other = Open();
        var change = HoldOwner(other);

        other.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => change);
    }

    [Fact]
    public async Task Closing_the_cache_ends_that_of_a_value_which_was_created_in_the_background()
    {
        var expiry = Hour with { RefreshAhead = TimeSpan.FromHours(2) };
        var owner = OpenHeld();
        owner.Set("key", 5, new NumberSerializer(), expiry);
        var other = Open();
        Assert.Equal(5, other.GetOrCreate("key", static _ => 6, new NumberSerializer(), expiry));
        _clock.AwaitHeld();

        await Task.Run(other.Dispose).WaitAsync(Generous);
    }

    // The leases outlive the first cache, and hold all segments.
    [Fact]
    public async Task Closing_the_owner_leaves_a_set_that_waits_for_a_segment_to_the_next_one()
    {
        var first = _directory.Open<int>(HeldSegments.Options);
        MessageCache<int>? other = null;
        var set = Task.CompletedTask;
        first.WhileAllIsHeld(() =>
        {
            first.Dispose();
            var owner = _directory.Open<int>(FewSegments(_clock));
            other = _directory.Open<int>(FewSegments(TimeProvider.System));
            set = other.SetAsync(-1, Values.Of(-1, 50_000), Hour).AsTask();
            _clock.AwaitHeld();
            var closing = Task.Run(owner.Dispose);
            _clock.Release();
            Assert.True(SpinWait.SpinUntil(() => closing.IsCompleted, Generous), "The owner waits for a segment.");
        });

        using (other)
        {
            await set.WaitAsync(Generous);
            Assert.Equal(Values.Of(-1, 50_000), other!.Read(-1)!);
        }
    }

    [LinuxFact]
    public async Task They_are_made_when_the_owner_dies()
    {
        using var owner = ChildProcess.Start(SharingPart.Name, _directory);
        Assert.Equal("open", owner.Hear());
        using var other = _directory.Open<int>(SharingPart.Options);
        await other.SetAsync(0, Values.Of(0, 500));
        Assert.True(other.Contains(0));
        using (var pause = Process.Start("kill", ["-STOP", $"{owner.ProcessId}"]))
        {
            await pause.WaitForExitAsync();
            Assert.Equal(0, pause.ExitCode);
        }

        // The threads of the process go on until one of them has taken the signal.
        Assert.True(SpinWait.SpinUntil(() => File.ReadAllText($"/proc/{owner.ProcessId}/stat").Contains(") T ", StringComparison.Ordinal), Generous), "The owner did not stop.");
        var changes = Enumerable.Range(1, 50).Select(key => other.SetAsync(key, Values.Of(key, 500)).AsTask()).ToList();
        Assert.True(SpinWait.SpinUntil(static () => ThreadPool.PendingWorkItemCount == 0, Generous), "Work of the thread pool waits for a thread.");
        Assert.All(changes, static change => Assert.False(change.IsCompleted));
        owner.Kill();

        await Task.WhenAll(changes);
        Assert.All(Enumerable.Range(0, 51), key => Assert.Equal(Values.Of(key, 500), other.Read(key)!));
    }

    // A removal, and a change of an expiry, need no clock when the entry is not there.
    private Task HoldOwner(MessageCache<string> other)
    {
        var change = other.SetAsync("first", new byte[] { 1 }, Hour).AsTask();
        _clock.AwaitHeld();
        return change;
    }

    // More than a block.
    private static PooledStream Pieces()
    {
        var stream = BufferPool.Shared.GetStream();
        for (var i = 0; i < 1_000; i++)
        {
            stream.WriteByte((byte)i);
            stream.WriteByte(1);
        }

        Assert.False(stream.GetReadOnlySequence().IsSingleSegment);
        return stream;
    }

    private static MessageCacheOptions Options(TimeProvider clock) => CacheDirectory.SmallWith(options => (options.Shared, options.TimeProvider, options.SegmentTimeout) = (true, clock, TimeSpan.FromMinutes(2)));

    private static MessageCacheOptions FewSegments(TimeProvider clock)
    {
        var options = Options(clock);
        options.DiskBytes = HeldSegments.Options.DiskBytes;
        return options;
    }

    private MessageCache<string> Open() => _directory.Open<string>(Options(TimeProvider.System));

    private MessageCache<string> OpenHeld() => _owner = _directory.Open<string>(Options(_clock));
}
