namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>Copies of a stream's content: to the stream itself, and to another stream.</summary>
public class PooledStreamCopyTests
{
    private readonly BufferPool _pool = new();

    [Fact]
    public void The_content_is_written_into_its_own_middle_as_that_of_a_memory_stream_is()
    {
        using var expected = new MemoryStream();
        using var stream = _pool.GetStream();
        for (var i = 0; i < 9_000; i++)
        {
            expected.WriteByte((byte)(i * 7 >> 3));
            stream.WriteByte((byte)(i * 7 >> 3));
        }

        // The bytes do not fit into the rest of the block.
        (expected.Position, stream.Position) = (8_000, 8_000);
        expected.Write(expected.GetBuffer(), 0, 9_000);
        stream.Write(stream.GetContiguousMemory().Span);

        Assert.Equal(expected.ToArray(), stream.ToArray());
        Assert.Equal(expected.Position, stream.Position);
    }

    [Fact]
    public async Task A_copy_is_cancelled_between_two_blocks()
    {
        using var cancellation = new CancellationTokenSource();
        using var destination = new CancellingStream(cancellation);
        using var stream = _pool.GetStream();
        stream.Write(new byte[1_000]);
        stream.Write(new byte[9_000]);
        Assert.False(stream.GetReadOnlySequence().IsSingleSegment);
        stream.Position = 0;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.CopyToAsync(destination, cancellation.Token));

        Assert.InRange(destination.Length, 1, 9_999);
    }

    /// <summary>A stream that cancels the copy to it, and takes no notice of that itself.</summary>
    private sealed class CancellingStream(CancellationTokenSource cancellation) : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellation.Cancel();
            Write(buffer.Span);
            return ValueTask.CompletedTask;
        }
    }
}
