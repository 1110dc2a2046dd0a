using System.Buffers;

namespace BufferedMessages;

/// <summary>A part of a sequence over pooled memory.</summary>
internal sealed class PooledSegment : ReadOnlySequenceSegment<byte>
{
    public PooledSegment(ReadOnlyMemory<byte> memory) => Memory = memory;

    /// <summary>The position in the sequence after this part.</summary>
    public long End => RunningIndex + Memory.Length;

    public PooledSegment Append(ReadOnlyMemory<byte> memory)
    {
        var next = new PooledSegment(memory) { RunningIndex = End };
        Next = next;
        return next;
    }
}
