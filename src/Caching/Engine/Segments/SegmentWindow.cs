using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>
/// A part of a segment, read from its file. When memory is short, a walk over records that are about to leave does not map them: a page that is touched for the first time takes longer than reading
/// many, and would displace another one. No thread writes records to the segment, and of each record only the expiry may have changed since it was read. It is not thread-safe.
/// </summary>
internal sealed class SegmentWindow
{
    private const int MostBytes = 256 * 1024;

    // Windows of small segments take little of a small memory budget.
    private const int WindowsPerSegment = 16;

    private readonly SegmentMap _segments;
    private readonly ExpiryChanges _changes;
    private readonly int _bytes;
    private byte[]? _room;
    private int _slot;
    private long _start;
    private long _end;

    public SegmentWindow(SegmentMap segments, ExpiryChanges changes)
    {
        _segments = segments;
        _changes = changes;
        _bytes = (int)Math.Min(segments.SegmentBytes / WindowsPerSegment, MostBytes);
    }

    /// <summary>Gets the count of the segment's <see cref="ExpiryChanges"/> from before the window was read.</summary>
    public int ExpiryChanges { get; private set; }

    /// <summary>Begins with another segment, of which nothing is read yet.</summary>
    public void Begin(int slot) => (_slot, _start, _end) = (slot, 0, 0);

    /// <summary>Determines whether a record of as many bytes is read here. A longer one is read where it is mapped.</summary>
    public bool Fits(long bytes) => bytes <= _bytes;

    /// <summary>Determines whether bytes of the segment are in the window.</summary>
    public bool Contains(long offset, long bytes) => offset >= _start && offset + bytes <= _end;

    /// <summary>Moves the window so that it begins at an offset.</summary>
    /// <exception cref="IOException">The disk failed, or the file was cut.</exception>
    public void MoveTo(long offset)
    {
        if (_room is null)
        {
            _segments.Memory.GiveUp(_bytes);
            _room = GC.AllocateUninitializedArray<byte>(_bytes, pinned: true);
        }

        ExpiryChanges = _changes.Of(_slot);
        var room = _room.AsSpan(0, (int)Math.Min(_bytes, _segments.RecordsEnd - offset));
        (_start, _end) = (0, 0);
        var read = 0;
        while (read < room.Length)
        {
            // A read ends before the first page that the disk cannot read, and only the next one fails. Zeros in place of the rest would be carried over as a part of a record.
            var bytes = _segments.ReadFile(_slot, room[read..], offset + read);
            if (bytes == 0)
            {
                throw new EndOfStreamException($"The file of segment {_slot:D4} of a cache ends at byte {offset + read}. It was cut while the cache was open: close the cache and open it again.");
            }

            read += bytes;
        }

        (_start, _end) = (offset, offset + room.Length);
    }

    /// <summary>Reads a state word that is in the window.</summary>
    public ulong WordAt(long offset)
    {
        Debug.Assert(Contains(offset, sizeof(ulong)), "The word is outside the window.");
        return BinaryPrimitives.ReadUInt64LittleEndian(_room.AsSpan((int)(offset - _start)));
    }

    /// <summary>Reads a record that is in the window. It is valid until the window moves, and while this object is referenced.</summary>
    // SAFETY: the array is pinned. The record's lengths are compared with its bytes, which are in the window.
    public unsafe bool TryRead(long offset, uint bytes, out CacheRecord record)
    {
        Debug.Assert(Contains(offset, bytes), "The record is outside the window.");
        var room = _room.AsSpan((int)(offset - _start), (int)bytes);
        return CacheRecord.TryRead((byte*)Unsafe.AsPointer(ref room[0]), bytes, out record);
    }
}
