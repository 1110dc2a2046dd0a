using System.Buffers;
using Microsoft.IO;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>The differences of behavior that docs/from-recyclable-memory-stream.md states, each held for both streams.</summary>
public class RecyclableStreamDifferenceTests
{
    private const int BlockBytes = 128 * 1024;

    private readonly PooledStream _ours = new BufferPool().GetStream();
    private readonly RecyclableMemoryStream _theirs = new RecyclableMemoryStreamManager().GetStream();

    [Fact]
    public void Advance_without_a_span_extends_theirs_by_arbitrary_bytes_and_throws_in_ours()
    {
        _theirs.Advance(10);
        Assert.Equal((10, 10), (_theirs.Length, _theirs.Position));

        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(10));
        Assert.Equal((0, 0), (_ours.Length, _ours.Position));
    }

    [Fact]
    public void Advance_after_a_write_since_the_span_extends_theirs_and_throws_in_ours()
    {
        foreach (Stream stream in (Stream[])[_ours, _theirs])
        {
            ((IBufferWriter<byte>)stream).GetSpan(10);
            stream.WriteByte(1);
        }

        _theirs.Advance(5);
        Assert.Equal(6, _theirs.Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(5));
    }

    [Fact]
    public void Advance_by_too_much_throws_another_exception_than_theirs()
    {
        var room = _ours.GetSpan(10).Length;
        _theirs.GetSpan(10);

        Assert.Throws<InvalidOperationException>(() => _theirs.Advance(BlockBytes + 1));
        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(room + 1));
        Assert.Contains($"0 to {room} bytes", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Advance_by_less_than_nothing_throws_as_theirs_does()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => _theirs.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(-1));
    }

    [Fact]
    public void Advance_after_dispose_throws_as_theirs_does()
    {
        _theirs.Dispose();
        _ours.Dispose();

        Assert.Throws<ObjectDisposedException>(() => _theirs.Advance(1));
        Assert.Throws<ObjectDisposedException>(() => _ours.Advance(1));
    }

    [Fact]
    public void A_span_can_be_advanced_by_in_several_parts_in_both_unless_theirs_is_a_temporary_buffer()
    {
        Write(_ours, BlockBytes - 10);
        Write(_theirs, BlockBytes - 10);
        foreach (var writer in (IBufferWriter<byte>[])[_ours, _theirs])
        {
            "0123456789abcdefghij"u8.CopyTo(writer.GetSpan(20));
            writer.Advance(5);
        }

        _ours.Advance(15);
        Assert.True(_ours.GetReadOnlySequence().Slice(BlockBytes - 10).ToArray().AsSpan().SequenceEqual("0123456789abcdefghij"u8));
        // The temporary buffer went back to the pool with the first call.
        Assert.Throws<InvalidOperationException>(() => _theirs.Advance(15));
    }

    [Fact]
    public void GetBuffer_shows_the_capacity_and_contiguous_memory_the_content()
    {
        Write(_ours, 10);
        Write(_theirs, 10);

        Assert.Equal(BlockBytes, _theirs.GetBuffer().Length);
        Assert.Equal(10, _ours.GetContiguousMemory().Length);
    }

    [Fact]
    public void Bytes_written_to_the_buffer_after_the_end_are_content_of_theirs_when_the_length_is_set_and_zeros_in_ours()
    {
        Write(_theirs, 10);
        _theirs.GetBuffer()[15] = 7;
        _theirs.SetLength(20);
        Assert.Equal(7, _theirs.GetBuffer()[15]);

        Write(_ours, 10);
        _ours.GetSpan(10)[5] = 7;
        _ours.SetLength(20);
        Assert.Equal(0, _ours.GetContiguousMemory().Span[15]);
    }

    [Fact]
    public void A_gap_before_a_write_after_the_end_shows_arbitrary_bytes_of_theirs_and_zeros_in_ours()
    {
        const int Gap = 15;
        foreach (Stream stream in (Stream[])[_ours, _theirs])
        {
            Write(stream, 20);
            stream.SetLength(10);
            stream.Position = 20;
            stream.WriteByte(7);
        }

        Assert.Equal(1, _theirs.GetBuffer()[Gap]);
        Assert.Equal(0, _ours.GetContiguousMemory().Span[Gap]);
    }

    [Fact]
    public void ReadByte_after_the_end_gives_an_arbitrary_byte_of_theirs_and_none_of_ours()
    {
        foreach (Stream stream in (Stream[])[_ours, _theirs])
        {
            Write(stream, 20);
            stream.SetLength(10);
            stream.Position = 15;
        }

        Assert.Equal(1, _theirs.ReadByte());
        Assert.Equal(-1, _ours.ReadByte());
    }

    [Fact]
    public void CopyTo_leaves_the_position_of_theirs_and_moves_that_of_ours_to_the_end()
    {
        foreach (Stream stream in (Stream[])[_ours, _theirs])
        {
            Write(stream, 20);
            stream.Position = 5;
            using var copy = new MemoryStream();
            stream.CopyTo(copy);
            Assert.Equal(15, copy.Length);
        }

        Assert.Equal((20, 5), (_ours.Position, _theirs.Position));
    }

    [Fact]
    public void Bytes_written_to_the_span_after_the_end_are_content_when_they_are_advanced_by()
    {
        Write(_ours, 10);
        _ours.GetSpan(10)[5] = 7;
        _ours.Advance(10);

        Assert.Equal(7, _ours.GetContiguousMemory().Span[15]);
    }

    [Fact]
    public void A_buffer_that_theirs_gave_is_stale_after_a_write_and_memory_of_ours_throws_then()
    {
        Write(_theirs, 10);
        var theirs = _theirs.GetBuffer();
        Write(_theirs, BlockBytes);
        Assert.NotSame(theirs, _theirs.GetBuffer());
        Assert.Equal(1, theirs[0]);

        Write(_ours, 10);
        var ours = _ours.GetContiguousMemory();
        Write(_ours, BlockBytes);
        _ours.GetContiguousMemory();
        Assert.Throws<ObjectDisposedException>(() => ours.Span[0]);
    }

    [Fact]
    public void A_stream_above_its_limit_throws_another_exception_than_theirs()
    {
        using var theirs = new RecyclableMemoryStreamManager(new RecyclableMemoryStreamManager.Options { MaximumStreamCapacity = BlockBytes }).GetStream();
        using var ours = new BufferPool(new BufferPoolOptions { MaxStreamBytes = BlockBytes }).GetStream();

        Assert.Throws<OutOfMemoryException>(() => theirs.GetSpan(BlockBytes + 1));
        Assert.Throws<IOException>(() => ours.GetSpan(BlockBytes + 1));
    }

    [Theory]
    [InlineData(256)]
    [InlineData(BlockBytes)]
    [InlineData(1024 * 1024)]
    [InlineData(4 * 1024 * 1024)]
    public void A_stream_and_its_sequence_make_less_garbage_than_theirs(int bytes)
    {
        var content = new byte[bytes];
        var pool = new BufferPool();
        var manager = new RecyclableMemoryStreamManager();

        Assert.InRange(Fewest(() => Read(pool.GetStream(), content)), 1, Fewest(() => Read(manager.GetStream(), content)) - 1);
    }

    private static void Read<T>(T stream, byte[] content)
        where T : Stream
    {
        using (stream)
        {
            stream.Write(content);
            var sequence = stream is PooledStream ours ? ours.GetReadOnlySequence() : ((RecyclableMemoryStream)(Stream)stream).GetReadOnlySequence();
            Assert.Equal(content.Length, sequence.Length);
        }
    }

    private static long Fewest(Action action)
    {
        var fewest = long.MaxValue;
        for (var attempt = 0; attempt < Allocations.Attempts; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            action();
            fewest = Math.Min(fewest, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return fewest;
    }

    private static void Write(Stream stream, int bytes)
    {
        var content = new byte[bytes];
        Array.Fill(content, (byte)1);
        stream.Write(content);
    }
}
