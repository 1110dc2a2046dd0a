using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

public sealed class MessageTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_message_is_read_in_place()
    {
        using var cache = _directory.Open<string>();
        cache.Set("order", new Order { Id = 7, Note = "rush", Lines = [1, 2, 3] });

        Assert.True(cache.TryGet<OrderBufferedMessage>("order", out var lease));

        using (lease)
        {
            Assert.Equal(7, lease.Message.Id);
            Assert.True(lease.Message.Note == "rush");
            Assert.Equal([1, 2, 3], lease.Message.Lines.ToArray());
        }
    }

    [Fact]
    public void A_disposed_cache_makes_no_file_of_a_schema()
    {
        var cache = _directory.Open<string>();
        cache.Dispose();

        Assert.Throws<ObjectDisposedException>(() => cache.Set("order", new Order { Id = 7 }));
        Assert.Empty(Directory.GetFiles(_directory, "*.schema"));
    }

    [Fact]
    public void A_message_is_read_by_its_utf8_key()
    {
        using var cache = _directory.Open<string>();
        cache.Set("order"u8, new Order { Id = 7 });

        Assert.True(cache.TryGet<OrderBufferedMessage>("order"u8, out var lease));
        Assert.Equal(7, lease.Message.Id);
        lease.Dispose();
        Assert.True(cache.Remove("order"u8));
        Assert.False(cache.TryGet<OrderBufferedMessage>("order"u8, out _));
    }

    [Fact]
    public async Task A_message_is_given_as_its_object()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, new Order { Id = 7, Note = "rush" });

        Assert.True(cache.TryGet<OrderBufferedMessage, Order>(1, view => view.ToOrder(), out var order));
        Assert.True(order is { Id: 7, Note: "rush" });
        Assert.False(cache.TryGet<OrderBufferedMessage, Order>(2, view => view.ToOrder(), out order));
        Assert.Null(order);
        var result = await cache.GetAsync<OrderBufferedMessage, Order>(1, view => view.ToOrder());
        Assert.True(result.IsHit);
        Assert.Equal(7, result.Value!.Id);
        Assert.False((await cache.GetAsync<OrderBufferedMessage, Order>(2, view => view.ToOrder())).IsHit);
    }

    [Fact]
    public void A_later_version_of_the_schema_reads_what_an_earlier_one_wrote_and_the_reverse()
    {
        using (var cache = _directory.Open<int>())
        {
            cache.Set(1, new Order { Id = 7, Note = "rush" });
            cache.Set(2, new OrderWithTotal { Id = 8, Comment = "slow", Total = 1.5 });
        }

        using var again = _directory.Open<int>();
        Assert.True(again.TryGet<OrderWithTotalBufferedMessage>(1, out var later));
        Assert.True(later.Message.Comment == "rush");
        Assert.Equal(0, later.Message.Total);
        later.Dispose();
        Assert.True(again.TryGet<OrderBufferedMessage>(2, out var earlier));
        Assert.True(earlier.Message.Note == "slow");
        earlier.Dispose();
    }

    [Fact]
    public void A_message_of_another_type_is_a_miss_that_is_counted()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, new Customer { Name = "Ada" });
        cache.Set(2, "bytes"u8);

        Assert.False(cache.TryGet<OrderBufferedMessage>(1, out _));
        Assert.False(cache.TryGet<OrderBufferedMessage>(2, out _));

        var statistics = cache.GetStatistics();
        Assert.Equal((0, 2, 2), (statistics.Hits, statistics.Misses, statistics.Mismatched));
        Assert.True(cache.TryGet<CustomerBufferedMessage>(1, out var lease));
        lease.Dispose();
    }

    [Fact]
    public void A_schema_whose_text_is_lost_or_damaged_is_a_miss_for_other_versions_only()
    {
        using (var cache = _directory.Open<int>())
        {
            cache.Set(1, new Order { Id = 7 });
        }

        File.WriteAllText(_directory.FileOf("*.schema"), "message Other\n");
        using var again = _directory.Open<int>();

        Assert.False(again.TryGet<OrderWithTotalBufferedMessage>(1, out _));
        Assert.True(again.TryGet<OrderBufferedMessage>(1, out var lease));
        lease.Dispose();
    }

    // After a crash of the machine the file may be empty.
    [Theory]
    [InlineData("")]
    [InlineData("message Other\n")]
    public void A_schema_whose_text_is_damaged_is_written_anew_with_the_next_message(string text)
    {
        using (var cache = _directory.Open<int>())
        {
            cache.Set(1, new Order { Id = 7 });
        }

        File.WriteAllText(_directory.FileOf("*.schema"), text);
        using var again = _directory.Open<int>();
        Assert.False(again.TryGet<OrderWithTotalBufferedMessage>(1, out _));
        again.Set(2, new Order { Id = 8 });

        Assert.True(again.TryGet<OrderWithTotalBufferedMessage, int>(1, static view => (int)view.Id, out var id));
        Assert.Equal(7, id);
        Assert.True(again.TryGet<OrderWithTotalBufferedMessage, int>(2, static view => (int)view.Id, out id));
        Assert.Equal(8, id);
    }

    // A process that opens the cache for writing cannot tell the unfinished file of a process that shares it from that of a dead one.
    [Fact]
    public async Task A_schema_is_written_beside_a_process_that_deletes_unfinished_files()
    {
        Directory.CreateDirectory(_directory);
        using var stop = new CancellationTokenSource();
        var deletions = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                CacheFiles.DeleteLeftovers(_directory, generation: 1);
            }
        });
        for (var i = 0; i < 2_000; i++)
        {
            new SchemaCatalog(_directory, FilePermissions.OfUser).Store(Order.BufferedBlock.Schema);
            File.Delete(_directory.FileOf("*.schema"));
        }

        await stop.CancelAsync();
        await deletions;
    }

    [Fact]
    public void A_source_that_throws_changes_nothing()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, new Order { Id = 7 });

        Assert.Throws<InvalidOperationException>(() => cache.Set(1, new FailingSource()));

        Assert.True(cache.TryGet<OrderBufferedMessage>(1, out var lease));
        Assert.Equal(7, lease.Message.Id);
        lease.Dispose();
        cache.Set(1, new Order { Id = 8 });
        Assert.True(cache.TryGet<OrderBufferedMessage, int>(1, view => view.Id, out var id));
        Assert.Equal(8, id);
    }

    [Fact]
    public void Several_messages_are_read_at_once()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 10; i++)
        {
            cache.Set(i, new Order { Id = i * i });
        }

        var ids = new List<int>();
        Assert.Equal(3, cache.GetMany<OrderBufferedMessage, List<int>>([2, 3, 99, 4], ids, (_, message, list) => list.Add(message.Id)));

        Assert.Equal([4, 9, 16], ids);
    }

    private sealed class FailingSource : IBufferedMessageSource<FailingSource>
    {
        public static MessageSchema Schema { get; } = new("Failing", "0 i32 Id\n", () => []);

        public int CalculateSize() => 64;

        public int Write(Span<byte> destination) => throw new InvalidOperationException("It fails.");
    }

    [Fact]
    public void A_message_whose_schema_cannot_be_read_is_a_miss_until_it_can()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, new Order { Id = 7 });
        var path = _directory.FileOf("*.schema");
        var text = File.ReadAllText(path);
        File.Delete(path);
        Directory.CreateDirectory(path);
        for (var i = 0; i < 5_000; i++)
        {
            Assert.False(cache.TryGet<OrderWithTotalBufferedMessage>(1, out _));
        }

        Directory.Delete(path);
        Assert.False(cache.TryGet<OrderWithTotalBufferedMessage>(1, out _));
        File.WriteAllText(path, text);
        Assert.True(cache.TryGet<OrderWithTotalBufferedMessage, int>(1, static view => (int)view.Id, out var id));
        Assert.Equal(7, id);
    }
}
