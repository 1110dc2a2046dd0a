using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>A mapped segment. It stays mapped until <see cref="Dispose"/>, even if the segment is reused or deleted.</summary>
/// <param name="File">The file that the segment is, or is a part of.</param>
/// <param name="Start">Its first byte.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Position">Position of its first byte in the queue.</param>
/// <param name="FreeWord">The word of its free positions.</param>
/// <param name="OwnsFile">The file was mapped for this segment alone.</param>
internal readonly unsafe record struct Segment(MappedFile File, nint Start, long Bytes, long Position, ulong FreeWord, bool OwnsFile) : IDisposable
{
    /// <summary>False for the default value.</summary>
    public bool IsMapped => File is not null;

    /// <summary>The record at a position of this segment.</summary>
    /// <remarks>
    /// Threads that wrongly share an object may read a half-written value. Every mapped segment has the same length as this one, so the check
    /// keeps their accesses in mapped memory too.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The position is not in this segment.</exception>
    public byte* At(long position)
    {
        var (start, offset) = (Start, position - Position);
        if (start == 0 || (ulong)offset >= (ulong)Bytes)
        {
            ThrowOutside(position);
        }

        return (byte*)start + offset;
    }

    /// <summary>The word of the record at a position of this segment.</summary>
    /// <inheritdoc cref="At" path="/remarks"/>
    /// <inheritdoc cref="At" path="/exception"/>
    public ref ulong Word(long position)
    {
        Debug.Assert(position % RecordWord.Alignment == 0, "A record begins at a multiple of the alignment.");
        return ref *(ulong*)At(position);
    }

    /// <summary>The header at the start of the segment.</summary>
    public SegmentHeader Header => *(SegmentHeader*)At(Position);

    /// <summary>Unmaps the segment, unless others use the same mapping.</summary>
    public void Dispose()
    {
        if (OwnsFile)
        {
            File.Dispose();
        }
    }

    [DoesNotReturn]
    private static void ThrowOutside(long position) => throw new InvalidOperationException(
        $"Position {position} is not in the current segment. Several threads are using an object that only one thread at a time may use.");
}
