using System.Buffers;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>Parts of the content, which users of RecyclableMemoryStream take by offset and count.</summary>
public class PooledStreamPartsTests
{
    private const int Length = 200_000;

    private readonly PooledStream _stream = new BufferPool().GetStream();
    private readonly byte[] _content = new byte[Length];

    public PooledStreamPartsTests()
    {
        new Random(1).NextBytes(_content);
        foreach (var part in _content.Chunk(1_000))
        {
            _stream.Write(part);
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, Length)]
    [InlineData(1_000, 30)]
    [InlineData(1_023, 2)]
    [InlineData(1_024, 4_096)]
    [InlineData(500, 150_000)]
    [InlineData(Length, 0)]
    public void A_part_is_written_to_another_stream_and_the_position_stays(int offset, int count)
    {
        _stream.Position = 77;
        using var destination = new MemoryStream();
        _stream.WriteTo(destination, offset, count);
        Assert.True(_content.AsSpan(offset, count).SequenceEqual(destination.ToArray()));
        Assert.Equal(77, _stream.Position);
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, -1)]
    [InlineData(0, Length + 1)]
    [InlineData(Length + 1, 0)]
    [InlineData(1, long.MaxValue)]
    public void A_part_outside_of_the_content_is_refused(long offset, long count)
    {
        using var destination = new MemoryStream();
        Assert.Throws<ArgumentOutOfRangeException>(() => _stream.WriteTo(destination, offset, count));
        Assert.Equal(0, destination.Length);
    }

    [Fact]
    public void Many_threads_read_parts_of_one_sequence()
    {
        var sequence = _stream.GetReadOnlySequence();
        Parallel.For(0, 1_000, i =>
        {
            var part = new byte[1 + (i * 37 % 9_000)];
            var offset = i * 191 % (Length - part.Length);
            sequence.Slice(offset, part.Length).CopyTo(part);
            Assert.True(_content.AsSpan(offset, part.Length).SequenceEqual(part));
        });
    }

    [Fact]
    public void The_array_of_a_pinned_stream_does_not_begin_with_the_content()
    {
        // Why there is no GetBuffer: its users take the content to begin at index 0.
        var streams = Enumerable.Range(0, 16).Select(_ => new BufferPool(new BufferPoolOptions { Pinned = true }).GetStream("content"u8)).ToList();
        Assert.Contains(streams, stream =>
        {
            Assert.True(stream.TryGetBuffer(out var buffer));
            Assert.True(buffer.AsSpan().SequenceEqual("content"u8));
            return buffer.Offset != 0;
        });
    }
}
