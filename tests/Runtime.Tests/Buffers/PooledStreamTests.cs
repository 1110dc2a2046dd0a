using System.Buffers;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class PooledStreamTests
{
    // docs/buffers.md says so.
    private const long StreamObjectBytes = 104;

    private readonly BufferPool _pool = new();

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    [InlineData(2_500)]
    [InlineData(9_000)]
    [InlineData(12_000)]
    public void The_content_is_written_over_itself_as_that_of_a_memory_stream_is(int position)
    {
        using var expected = new MemoryStream();
        using var stream = new BufferPool().GetStream();
        for (var i = 0; i < 9_000; i++)
        {
            expected.WriteByte((byte)(i * 7 >> 3));
            stream.WriteByte((byte)(i * 7 >> 3));
        }

        (expected.Position, stream.Position) = (position, position);
        expected.WriteTo(expected);
        stream.WriteTo(stream);

        Assert.Equal(expected.ToArray(), stream.ToArray());
        Assert.Equal(expected.Position, stream.Position);
    }

    [Fact]
    public void A_new_stream_rents_nothing()
    {
        using var stream = _pool.GetStream();
        Assert.Equivalent(BufferPoolStatistics.None, _pool.GetStatistics());
        Assert.Equal((0, 0), (stream.Length, stream.Capacity));
    }

    [Fact]
    public void Blocks_grow_by_four()
    {
        using var stream = _pool.GetStream();
        for (var i = 0; i < 150_000; i++)
        {
            stream.WriteByte(1);
        }

        Assert.Equal((1 + 4 + 16 + 64 + 64) * 1024, stream.Capacity);
    }

    [Fact]
    public void A_known_size_is_one_piece()
    {
        using var stream = _pool.GetStream(300_000);
        var capacity = stream.Capacity;
        stream.Write(new byte[300_000]);
        Assert.Equal(capacity, stream.Capacity);
        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
    }

    [Fact]
    public void A_stream_of_bytes_begins_at_its_start()
    {
        using var stream = _pool.GetStream("content"u8, "tag");
        Assert.Equal((0, 7, "tag"), (stream.Position, stream.Length, stream.Tag));
        Assert.Equal("content"u8, stream.ToArray());
    }

    [Fact]
    public void A_hint_larger_than_the_blocks_rest_opens_a_block_and_copies_nothing()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[1_000]);
        var before = stream.GetReadOnlySequence();
        Assert.True(stream.GetSpan(100_000).Length >= 100_000);
        stream.Advance(100_000);
        Assert.Equal(1_000, before.ToArray().Length);
        Assert.Equal(101_000, stream.Length);
        Assert.Equal(2, SegmentsOf(stream));
    }

    [Fact]
    public void Growing_hints_that_are_hardly_used_take_no_more_than_four_times_the_content()
    {
        using var stream = _pool.GetStream();
        for (var i = 0; i < 1_000; i++)
        {
            stream.GetSpan(100_000);
            stream.Advance(1);
        }

        Assert.InRange(stream.Capacity, 1, 4 * 100_000);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void A_negative_hint_is_refused(int hint)
    {
        using var stream = _pool.GetStream();
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.GetSpan(hint); });
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.GetMemory(hint));
    }

    [Fact]
    public void A_hint_that_no_array_has_is_refused_and_the_stream_goes_on()
    {
        using var stream = _pool.GetStream();
        stream.Write("abc"u8);
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.GetSpan(int.MaxValue); });
        stream.Write("def"u8);
        Assert.Equal("abcdef"u8, stream.ToArray());
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    public void Advancing_beyond_what_was_given_is_refused(int count)
    {
        using var stream = _pool.GetStream();
        stream.GetSpan(10);
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(count));
    }

    [Fact]
    public void Advancing_after_something_else_was_called_is_refused()
    {
        using var stream = _pool.GetStream();
        Action<PooledStream>[] others = [s => s.WriteByte(1), s => s.Position = 0, s => s.Seek(0, SeekOrigin.Begin), s => s.SetLength(3), s => s.ReadByte(), s => s.Capacity = 100];
        foreach (var other in others)
        {
            stream.SetLength(10);
            stream.Position = 5;
            stream.GetSpan(10);
            other(stream);
            Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(1));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void Advancing_after_a_hint_that_no_array_has_is_refused(int position)
    {
        using var stream = _pool.GetStream("abc"u8);
        stream.Position = position;
        stream.GetSpan(100_000);
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.GetSpan(int.MaxValue); });

        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(50_000));
        Assert.Equal("abc"u8, stream.ToArray());
    }

    [Fact]
    public void A_write_in_place_in_the_middle_changes_nothing_else()
    {
        using var stream = _pool.GetStream("0123456789"u8);
        stream.Position = 3;
        stream.GetSpan(5).Fill((byte)'x');
        stream.Advance(2);
        Assert.Equal("012xx56789"u8, stream.ToArray());
    }

    [Fact]
    public void A_stream_stays_below_its_limit()
    {
        using var stream = new BufferPool(new BufferPoolOptions { MaxStreamBytes = 100 }).GetStream();
        stream.Write(new byte[100]);
        Assert.Throws<IOException>(() => stream.WriteByte(1));
        Assert.Throws<IOException>(() => stream.Write(new byte[1]));
        Assert.Throws<IOException>(() => { stream.GetSpan(1); });
        Assert.Throws<IOException>(() => stream.SetLength(101));
        Assert.Throws<IOException>(() => stream.Capacity = 101);
        stream.Position = 99;
        Assert.Throws<IOException>(() => stream.Write(new byte[2]));
        stream.Position = long.MaxValue;
        Assert.Throws<IOException>(() => stream.WriteByte(1));
        Assert.Equal(100, stream.Length);
    }

    [Theory]
    [InlineData(long.MaxValue, SeekOrigin.Current)]
    [InlineData(long.MinValue, SeekOrigin.Current)]
    [InlineData(long.MaxValue, SeekOrigin.End)]
    [InlineData(long.MinValue, SeekOrigin.End)]
    [InlineData(-1, SeekOrigin.Begin)]
    public void Seeking_out_of_what_a_position_can_be_is_refused(long offset, SeekOrigin origin)
    {
        using var stream = _pool.GetStream("abc"u8);
        stream.Position = 2;
        Assert.Throws<IOException>(() => stream.Seek(offset, origin));
        Assert.Equal(2, stream.Position);
    }

    [Fact]
    public void Reading_far_after_the_end_gives_nothing()
    {
        using var stream = _pool.GetStream("abc"u8);
        stream.Position = long.MaxValue;
        Assert.Equal((-1, 0), (stream.ReadByte(), stream.Read(new byte[10])));
        stream.CopyTo(Stream.Null);
        Assert.Equal(long.MaxValue, stream.Position);
    }

    [Fact]
    public async Task A_cancelled_token_is_honoured()
    {
        using var stream = _pool.GetStream("abc"u8);
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => _ = await stream.ReadAsync(new byte[1], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await stream.WriteAsync(new byte[1], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.ReadAsync(new byte[1], 0, 1, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.WriteAsync(new byte[1], 0, 1, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.FlushAsync(cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.CopyToAsync(Stream.Null, cancelled));
        Assert.Equal((0, 3), (stream.Position, stream.Length));
    }

    [Fact]
    public void A_smaller_capacity_returns_blocks()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[500_000]);
        stream.SetLength(10);
        stream.Capacity = 10;
        Assert.Equal(_pool.GetStatistics().InUseBytes, stream.Capacity);
        Assert.Equal(new byte[10], stream.ToArray());
    }

    [Fact]
    public void A_detached_memory_has_the_content_and_the_stream_goes_on_empty()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[100_000]);
        stream.Write("end"u8);
        using var memory = stream.DetachMemory();
        Assert.Equal((0, 0), (stream.Position, stream.Length));
        stream.Write("next"u8);
        Assert.Equal(100_003, memory.Memory.Length);
        Assert.True(memory.Memory.Span.EndsWith("end"u8));
    }

    [Fact]
    public void A_detached_sequence_is_not_copied()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[100_000]);
        var rented = _pool.GetStatistics().Rented;
        using var sequence = stream.DetachSequence();
        Assert.Equal(100_000, sequence.Sequence.Length);
        Assert.Equal(rented, _pool.GetStatistics().Rented);
    }

    [Theory]
    [InlineData(256)]
    [InlineData(10_000)]
    [InlineData(80_000)]
    [InlineData(1_000_000)]
    public void In_the_steady_state_only_the_stream_object_is_allocated(int bytes)
    {
        var content = new byte[bytes];
        Assert.Equal(StreamObjectBytes, LeastAllocated(() => WriteAndRead(content)));
    }

    [Fact]
    public void A_stream_object_is_as_small_as_the_documents_say() =>
        Assert.Equal(StreamObjectBytes, LeastAllocated(() => _pool.GetStream().Dispose()));

    [Fact]
    public void Positions_above_two_gigabytes_are_found()
    {
        // Blocks of a stream of 6 GB, over an array that is always the same.
        var blocks = default(StreamBlocks);
        var buffer = new byte[1];
        const int BlockBytes = 64 * 1024 * 1024;
        for (var i = 0; i < 96; i++)
        {
            blocks.Add(buffer, BlockBytes);
        }

        Assert.Equal(96L * BlockBytes, blocks.Capacity);
        foreach (var position in new[] { int.MaxValue, int.MaxValue + 1L, uint.MaxValue, uint.MaxValue + 1L, (96L * BlockBytes) - 1 })
        {
            Assert.Equal((int)(position / BlockBytes), blocks.IndexOf(position));
        }
    }

    [LargeMemoryFact]
    public void More_than_two_gigabytes_are_written_and_read()
    {
        const long Length = 2_200_000_000;
        using var stream = _pool.GetStream();
        var part = new byte[1_000_000];
        for (var i = 0; i < Length / part.Length; i++)
        {
            BitConverter.TryWriteBytes(part, i);
            stream.Write(part);
        }

        Assert.Equal(Length, stream.Length);
        foreach (var i in new[] { 0, 1_000, 2_147, 2_148, 2_199 })
        {
            stream.Position = (long)i * part.Length;
            Assert.Equal(4, stream.Read(part, 0, 4));
            Assert.Equal(i, BitConverter.ToInt32(part));
        }

        Assert.Equal(Length, stream.GetReadOnlySequence().Length);
        Assert.Throws<IOException>(() => stream.ToArray());
        Assert.Throws<IOException>(() => stream.GetContiguousMemory());
    }

    [LargeMemoryFact]
    public void Reading_four_gigabytes_after_the_end_gives_nothing()
    {
        using var stream = _pool.GetStream(capacity: (1L << 32) + 1_000);
        stream.Position = (1L << 32) - 10;

        Assert.Equal(0, stream.Read(new byte[100]));
        Assert.Equal((1L << 32) - 10, stream.Position);
    }

    // Of many times, since the first ones fill the pool.
    private static long LeastAllocated(Action action)
    {
        var least = long.MaxValue;
        for (var i = 0; i < 200; i++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            action();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private void WriteAndRead(byte[] content)
    {
        using var stream = _pool.GetStream();
        stream.Write(content);
        stream.Position = 0;
        stream.ReadExactly(content);
    }

    private static int SegmentsOf(PooledStream stream)
    {
        var count = 0;
        foreach (var unused in stream.GetReadOnlySequence())
        {
            count++;
        }

        return count;
    }
}
