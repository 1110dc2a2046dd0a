using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace BufferedMessages.Caching.Tests;

public sealed class CreationTests : IDisposable
{
    private static readonly NumberSerializer Numbers = new();

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_missing_value_is_created_once()
    {
        using var cache = _directory.Open<string>();
        var created = 0;

        Assert.Equal(5, cache.GetOrCreate("key", _ => 5 + created++, Numbers));
        Assert.Equal(5, cache.GetOrCreate("key", _ => 5 + created++, Numbers));

        Assert.Equal(1, created);
        Assert.True(cache.TryGet("key", Numbers, out var value));
        Assert.Equal(5, value);
    }

    [Fact]
    public void The_default_of_a_value_type_is_no_miss()
    {
        using var cache = _directory.Open<string>();
        var created = 0;

        for (var i = 0; i < 3; i++)
        {
            Assert.Equal(0, cache.GetOrCreate("key", _ => created++ * 0, Numbers));
        }

        Assert.Equal(1, created);
    }

    [Fact]
    public async Task Of_many_threads_one_creates_the_value()
    {
        using var cache = _directory.Open<string>();
        using var begun = new ManualResetEventSlim();
        var created = 0;
        int Create(string key)
        {
            begun.Wait();
            return Interlocked.Increment(ref created);
        }

        var threads = Enumerable.Range(0, 8).Select(_ => Task.Factory.StartNew(
            () => cache.GetOrCreate("key", Create, Numbers), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToArray();
        begun.Set();

        Assert.All(await Task.WhenAll(threads), value => Assert.Equal(1, value));
        Assert.Equal(1, created);
    }

    [Fact]
    public async Task Of_many_tasks_one_creates_the_value()
    {
        using var cache = _directory.Open<ReadOnlyMemory<byte>>();
        var begun = new TaskCompletionSource();
        var created = 0;
        async ValueTask<int> CreateAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken)
        {
            await begun.Task;
            return Interlocked.Increment(ref created);
        }

        var tasks = Enumerable.Range(0, 20).Select(_ => cache.GetOrCreateAsync(new byte[] { 1, 2 }, CreateAsync, Numbers).AsTask()).ToArray();
        begun.SetResult();

        Assert.All(await Task.WhenAll(tasks), value => Assert.Equal(1, value));
        Assert.Equal(1, created);
    }

    [Fact]
    public async Task An_exception_goes_to_all_that_wait_and_is_not_kept()
    {
        using var cache = _directory.Open<string>();
        var begun = new TaskCompletionSource();
        async ValueTask<int> FailAsync(string key, CancellationToken cancellationToken)
        {
            await begun.Task;
            throw new FormatException("failed");
        }

        var tasks = Enumerable.Range(0, 5).Select(_ => cache.GetOrCreateAsync("key", FailAsync, Numbers).AsTask()).ToArray();
        begun.SetResult();

        foreach (var task in tasks)
        {
            await Assert.ThrowsAsync<FormatException>(() => task);
        }

        Assert.Throws<FormatException>(() => cache.GetOrCreate<int>("key", _ => throw new FormatException("failed"), Numbers));
        Assert.Equal(3, cache.GetOrCreate("key", _ => 3, Numbers));
    }

    [Fact]
    public async Task A_waiter_that_is_cancelled_leaves_the_others_waiting()
    {
        using var cache = _directory.Open<string>();
        using var cancellation = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            await begun.Task.WaitAsync(cancellationToken);
            return 4;
        }

        var leaving = cache.GetOrCreateAsync("key", CreateAsync, Numbers, default, cancellation.Token).AsTask();
        var staying = cache.GetOrCreateAsync("key", CreateAsync, Numbers).AsTask();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leaving);
        begun.SetResult();
        Assert.Equal(4, await staying);
    }

    [Fact]
    public async Task Creation_is_cancelled_when_all_waiters_have_left()
    {
        using var cache = _directory.Open<string>();
        using var cancellation = new CancellationTokenSource();
        var isCancelled = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            cancellationToken.Register(isCancelled.SetResult);
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 4;
        }

        var task = cache.GetOrCreateAsync("key", CreateAsync, Numbers, default, cancellation.Token).AsTask();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
        await isCancelled.Task.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(5, await cache.GetOrCreateAsync("key", (_, _) => ValueTask.FromResult(5), Numbers));
    }

    [Fact]
    public async Task A_thread_that_waits_for_the_value_keeps_its_creation_when_all_tasks_have_left()
    {
        using var cache = _directory.Open<string>();
        using var cancellation = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await released.Task.WaitAsync(cancellationToken);
            return 4;
        }

        var leaving = cache.GetOrCreateAsync("key", CreateAsync, Numbers, default, cancellation.Token).AsTask();
        await begun.Task;
        var result = new TaskCompletionSource<int>();
        var staying = new Thread(() => SetResult(result, () => cache.GetOrCreate("key", _ => 4, Numbers))) { IsBackground = true };
        staying.Start();
        Assert.True(SpinWait.SpinUntil(() => (staying.ThreadState & ThreadState.WaitSleepJoin) != 0, TimeSpan.FromSeconds(60)));
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leaving);
        released.SetResult();
        Assert.Equal(4, await result.Task);
    }

    [Fact]
    public async Task A_value_whose_time_passed_while_it_was_created_is_returned_and_not_kept()
    {
        var clock = new ManualClock();
        using var cache = _directory.Open<string>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        int Create(string key)
        {
            clock.Now += TimeSpan.FromMinutes(2);
            return 5;
        }

        Assert.Equal(5, cache.GetOrCreate("key", Create, Numbers, CacheExpiry.At(clock.Now + TimeSpan.FromMinutes(1))));
        Assert.Equal(5, await cache.GetOrCreateAsync("key", (key, _) => ValueTask.FromResult(Create(key)), Numbers, CacheExpiry.At(clock.Now + TimeSpan.FromMinutes(1))));

        Assert.False(cache.Contains("key"));
        Assert.Equal(0, cache.GetStatistics().NotKept);
    }

    [Fact]
    public void Creating_a_key_while_it_is_created_is_an_exception_and_no_deadlock()
    {
        using var cache = _directory.Open<string>();

        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreate("key", key => cache.GetOrCreate(key, _ => 1, Numbers), Numbers));

        Assert.Equal(2, cache.GetOrCreate("key", key => cache.GetOrCreate("other", _ => 2, Numbers), Numbers));
    }

    [Fact]
    public void Values_of_two_types_of_a_key_are_created_at_the_same_time()
    {
        using var cache = _directory.Open<string>();

        Assert.Equal(3, cache.GetOrCreate("key", key => cache.GetOrCreate(key, static _ => "abc", new JsonCacheSerializer<string>()).Length, Numbers));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Awaiting_a_key_while_it_is_created_is_an_exception_and_no_deadlock(bool isBetween)
    {
        using var cache = _directory.Open<string>();
        async ValueTask<int> AskAgainAsync(string key, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return await cache.GetOrCreateAsync("key", static (_, _) => ValueTask.FromResult(1), Numbers, default, cancellationToken);
        }

        var task = cache.GetOrCreateAsync(
            "key", (key, token) => isBetween ? cache.GetOrCreateAsync("other", AskAgainAsync, Numbers, default, token) : AskAgainAsync(key, token), Numbers).AsTask();

        await Assert.ThrowsAsync<InvalidOperationException>(() => task.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreate("key", key => AskAgainAsync(key, default).AsTask().GetAwaiter().GetResult(), Numbers));
        Assert.Equal(2, await cache.GetOrCreateAsync("key", async (_, token) => await cache.GetOrCreateAsync("next", static (_, _) => ValueTask.FromResult(2), Numbers, default, token), Numbers));
    }

    [Fact]
    public async Task Messages_are_created_as_objects()
    {
        using var cache = _directory.Open<int>();
        var created = 0;
        Order Create(int key) => new() { Id = key, Note = $"{++created}" };

        Assert.Equal("1", cache.GetOrCreate(3, Create, (OrderBufferedMessage view) => view.ToOrder()).Note);
        Assert.Equal("1", cache.GetOrCreate(3, Create, (OrderBufferedMessage view) => view.ToOrder()).Note);
        var order = await cache.GetOrCreateAsync(4, (key, _) => ValueTask.FromResult(Create(key)), (OrderBufferedMessage view) => view.ToOrder());
        Assert.Equal((4, "2"), (order.Id, order.Note));
        Assert.Equal(2, created);
    }

    [Fact]
    public async Task A_creation_that_has_waited_for_one_whose_value_was_removed_is_shared_although_tags_were_removed_during_the_wait()
    {
        using var cache = _directory.Open<string>();
        var expiry = CacheExpiry.Never with { Tags = ["tag"] };
        var begun = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        var begunAgain = new TaskCompletionSource();
        var failed = new TaskCompletionSource<int>();
        var others = 0;
        var first = cache.GetOrCreateAsync("key", CreateAsync, Numbers, expiry).AsTask();
        await begun.Task.WaitAsync(TimeSpan.FromSeconds(60));
        cache.RemoveByTag("tag");
        var second = cache.GetOrCreateAsync("key", CreateAgainAsync, Numbers, expiry).AsTask();
        cache.RemoveByTag("tag");
        released.SetResult();
        Assert.Equal(5, await first);
        await begunAgain.Task.WaitAsync(TimeSpan.FromSeconds(60));

        // The read takes the removed entry out of the index: so the call waits for no disk, and joins before it returns.
        Assert.Null(cache.Read("key"));
        var third = cache.GetOrCreateAsync("key", (_, _) => ValueTask.FromResult(Interlocked.Increment(ref others)), Numbers, expiry).AsTask();
        failed.SetException(new FormatException("failed"));

        await Assert.ThrowsAsync<FormatException>(() => second);
        await Assert.ThrowsAsync<FormatException>(() => third);
        Assert.Equal(0, others);

        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await released.Task;
            return 5;
        }

        async ValueTask<int> CreateAgainAsync(string key, CancellationToken cancellationToken)
        {
            begunAgain.SetResult();
            return await failed.Task;
        }
    }

    [Fact]
    public void A_null_is_given_back_and_not_kept()
    {
        using var cache = _directory.Open<int>();

        Assert.Null(cache.GetOrCreate(3, _ => null!, (OrderBufferedMessage view) => view.ToOrder()));

        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void A_value_of_any_type_goes_by_a_serializer()
    {
        using var cache = _directory.Open<int>();

        var created = cache.GetOrCreate(3, static key => new Dictionary<string, int> { ["key"] = key }, new JsonCacheSerializer<Dictionary<string, int>>());

        Assert.True(cache.TryGet(3, new JsonCacheSerializer<Dictionary<string, int>>(), out var read));
        Assert.Equal(created, read);
        Assert.NotSame(created, read);
    }

    private static void SetResult(TaskCompletionSource<int> result, Func<int> create)
    {
        try
        {
            result.SetResult(create());
        }
        catch (Exception exception)
        {
            result.SetException(exception);
        }
    }

    [Fact]
    public async Task A_cancelled_caller_may_use_the_memory_of_its_key_again()
    {
        using var cache = _directory.Open<ReadOnlyMemory<byte>>();
        using var cancellation = new CancellationTokenSource();
        var key = new byte[] { 1, 2, 3 };
        var begun = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(ReadOnlyMemory<byte> owned, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await released.Task;
            return 6;
        }

        var task = cache.GetOrCreateAsync(key, CreateAsync, Numbers, default, cancellation.Token).AsTask();
        await begun.Task;
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
        Array.Fill(key, (byte)9);
        released.SetResult();

        // The callback does not look at its token, so its value is kept.
        Assert.True(SpinWait.SpinUntil(() => cache.Count == 1, TimeSpan.FromSeconds(60)));
        Assert.Equal([1, 2, 3], Assert.Single(cache.Keys).ToArray());
    }

    [Fact]
    public async Task A_cancelled_caller_does_not_see_the_exception_of_a_callback_on_the_token_of_the_creation()
    {
        using var cache = _directory.Open<string>();
        using var cancellation = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            cancellationToken.Register(static () => throw new FormatException("failed"));
            begun.SetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 6;
        }

        var task = cache.GetOrCreateAsync("key", CreateAsync, Numbers, default, cancellation.Token).AsTask();
        await begun.Task;
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
        Assert.Equal(7, cache.GetOrCreate("key", static _ => 7, Numbers));
    }

    [Fact]
    public async Task No_exception_is_thrown_and_caught_for_a_value_that_is_created()
    {
        using var cache = _directory.Open<string>();
        var isWatched = new AsyncLocal<bool> { Value = true };
        var thrown = new ConcurrentQueue<Exception>();
        void Note(object? sender, FirstChanceExceptionEventArgs arguments)
        {
            if (isWatched.Value)
            {
                thrown.Enqueue(arguments.Exception);
            }
        }

        AppDomain.CurrentDomain.FirstChanceException += Note;
        try
        {
            Assert.Equal(5, await cache.GetOrCreateAsync("key", static (_, _) => ValueTask.FromResult(5), Numbers));
        }
        finally
        {
            AppDomain.CurrentDomain.FirstChanceException -= Note;
        }

        Assert.Empty(thrown);
    }
}
