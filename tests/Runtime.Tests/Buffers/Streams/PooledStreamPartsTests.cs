using System.Buffers;
using System.Runtime.InteropServices;

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
            Assert.True(MemoryMarshal.TryGetArray(stream.GetContiguousMemory(), out var buffer));
            Assert.True(buffer.AsSpan().SequenceEqual("content"u8));
            return buffer.Offset != 0;
        });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_part_that_is_pinned_is_at_its_own_address(bool isPinned)
    {
        // Several, since an array of a pinned pool may begin at a multiple of 64 by chance.
        var pool = new BufferPool(new BufferPoolOptions { Pinned = isPinned });
        var streams = Enumerable.Range(0, 16).Select(_ => pool.GetStream("content"u8)).ToList();

        Assert.All(streams, static stream => Assert.Equal((byte)'t', FirstOf(stream.GetContiguousMemory()[3..])));
        streams.ForEach(static stream => stream.Dispose());
    }

    private static unsafe byte FirstOf(ReadOnlyMemory<byte> memory)
    {
        using var pin = memory.Pin();
        return *(byte*)pin.Pointer;
    }
}
