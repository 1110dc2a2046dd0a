using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>A mapped segment. It stays mapped until <see cref="Release"/>, whatever becomes of the segment.</summary>
/// <param name="File">The file that it is, or is a part of.</param>
/// <param name="Start">Its first byte.</param>
/// <param name="Position">Position of its first byte in the queue.</param>
/// <param name="FreeWord">What its free positions hold.</param>
/// <param name="OwnsFile">The file was mapped for this segment alone.</param>
internal readonly unsafe record struct Segment(MappedFile File, nint Start, long Position, ulong FreeWord, bool OwnsFile)
{
    /// <summary>False for the default value.</summary>
    public bool IsMapped => File is not null;

    /// <summary>The byte of a position; its segment must be this one.</summary>
    public byte* At(long position) => (byte*)Start + (position - Position);

    /// <summary>Unmaps the segment, unless others use the same mapping.</summary>
    public void Release()
    {
        if (OwnsFile)
        {
            File.Dispose();
        }
    }
}
