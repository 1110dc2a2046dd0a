using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>Which blocks a stream takes, and in which order it gives them back.</summary>
public class PooledStreamBlocksTests
{
    private const int KB = 1024;
    private const int MB = 1024 * KB;

    private readonly BufferPool _pool = new();

    public static TheoryData<string, Action<PooledStream>> Moves { get; } = new()
    {
        { "GetContiguousMemory", stream => stream.GetContiguousMemory() },
        { "GetSpan that moves a block", stream => stream.GetSpan(100 * KB) },
        { "DetachMemory", stream => stream.DetachMemory() },
    };

    public static TheoryData<string, Func<PooledStream, IDisposable>> Detaches { get; } = new()
    {
        { "DetachMemory", stream => stream.DetachMemory() },
        { "DetachSequence", stream => stream.DetachSequence() },
    };

    [Theory]
    [InlineData(50 * KB)]
    [InlineData(80 * KB)]
    [InlineData(MB)]
    [InlineData(4 * MB)]
    [InlineData((4 * MB) - KB)]
    public void A_write_of_known_length_takes_one_buffer(int bytes)
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[bytes]);

        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
        Assert.Equal(1, _pool.GetStatistics().Rented);
    }

    [Theory]
    [InlineData(5 * MB, 5 * MB)]
    [InlineData((4 * MB) + 1, (4 * MB) + MB)]
    [InlineData(150 * KB, 192 * KB)]
    public void A_write_that_would_leave_much_of_a_buffer_empty_takes_a_smaller_one_and_another(int bytes, int capacity)
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[bytes]);

        Assert.Equal(capacity, stream.Capacity);
        Assert.Equal(2, _pool.GetStatistics().Rented);
    }

    [Fact]
    public void A_known_length_in_a_pool_of_linear_sizes_takes_one_buffer()
    {
        var pool = new BufferPool(new BufferPoolOptions { LargeBufferGrowth = LargeBufferGrowth.Linear });
        using var stream = pool.GetStream();
        stream.Write(new byte[300 * KB]);

        Assert.Equal(384 * KB, stream.Capacity);
        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
    }

    [Fact]
    public void A_length_above_the_largest_pooled_buffer_takes_several_of_them()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxPooledBufferBytes = 256 * KB });
        using var stream = pool.GetStream();
        stream.Write(new byte[MB]);

        Assert.Equal(MB, stream.Capacity);
        Assert.Equal(4, pool.GetStatistics().Rented);
    }

    [Fact]
    public void A_stream_that_grows_takes_few_blocks_and_less_than_twice_its_length()
    {
        using var stream = _pool.GetStream();
        var part = new byte[4 * KB];
        while (stream.Length < 16 * MB)
        {
            stream.Write(part);
            Assert.True(stream.Length < 256 * KB || stream.Capacity < 2 * stream.Length, $"{stream.Capacity} bytes of room for {stream.Length}");
        }

        Assert.InRange(_pool.GetStatistics().Rented, 1, 32);
    }

    [Fact]
    public void The_next_stream_begins_with_the_block_that_was_written_last()
    {
        byte[] last;
        using (var stream = _pool.GetStream(capacity: 128 * KB))
        {
            stream.Capacity = 256 * KB;
            stream.Position = 128 * KB;
            stream.WriteByte(1);
            last = ArrayOf(stream.GetReadOnlySequence().Slice(128 * KB).First);
        }

        using var next = _pool.GetStream(new byte[128 * KB]);
        Assert.Same(last, ArrayOf(next.GetContiguousMemory()));
    }

    [Theory]
    [MemberData(nameof(Moves))]
    public void A_handler_that_throws_while_a_stream_gives_blocks_back_does_not_take_its_content(string move, Action<PooledStream> apply)
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 0 });
        using var stream = pool.GetStream();
        var content = new byte[KB + 100];
        Random.Shared.NextBytes(content);
        stream.Write(content.AsSpan(..KB));
        stream.Write(content.AsSpan(KB..));
        pool.BufferDropped += Throw;

        Assert.True(Record.Exception(() => apply(stream)) is InvalidOperationException, move);
        pool.BufferDropped -= Throw;
        Assert.Equal(content, stream.ToArray());
        Assert.InRange(stream.Capacity, content.Length, long.MaxValue);

    }

    [Theory]
    [MemberData(nameof(Detaches))]
    public void A_detach_that_a_handler_ends_leaves_the_content_and_withdraws_the_offered_room(string detach, Func<PooledStream, IDisposable> apply)
    {
        foreach (var isAtEnd in new[] { true, false })
        {
            var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 0 });
            using var stream = pool.GetStream();
            var content = new byte[600];
            Random.Shared.NextBytes(content);
            stream.Write(content);
            stream.Position = isAtEnd ? content.Length : 0;
            stream.GetSpan(5 * KB);
            pool.BufferDropped += Throw;

            Assert.True(Record.Exception(() => apply(stream)) is InvalidOperationException, detach);
            pool.BufferDropped -= Throw;
            Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(KB));
            Assert.Equal(content, stream.ToArray());
        }
    }

    [Theory]
    [MemberData(nameof(Detaches))]
    public void A_handler_that_throws_for_one_block_keeps_no_other_block_from_coming_back(string detach, Func<PooledStream, IDisposable> apply)
    {
        foreach (var isDetached in new[] { true, false })
        {
            var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 0 });
            var stream = pool.GetStream();
            stream.Write(new byte[KB]);
            stream.Write(new byte[KB]);
            stream.WriteByte(1);
            var second = stream.GetReadOnlySequence().Slice(KB).First;
            IDisposable owner = isDetached ? apply(stream) : stream;
            pool.BufferDropped += Throw;

            Assert.True(Record.Exception(owner.Dispose) is InvalidOperationException, detach);
            Assert.Equal(0, pool.GetStatistics().InUseBytes);
            Assert.Throws<ObjectDisposedException>(() => second.Span.Length);
        }
    }

    private static void Throw(object? sender, BufferDroppedEventArgs e) => throw new InvalidOperationException("A handler must not throw, but this one does.");

    private static byte[] ArrayOf(ReadOnlyMemory<byte> memory)
    {
        Assert.True(MemoryMarshal.TryGetArray(memory, out var array));
        return array.Array!;
    }
}
