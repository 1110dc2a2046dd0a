using System.Diagnostics;

namespace BufferedMessages.Wire;

/// <summary>
/// The places of a block's members, as docs/format/messages.md defines them: in ordinal order, each at the lowest hole that fits, otherwise at
/// the end. A member never moves when others are added after it. The generator compiles this file too.
/// </summary>
internal sealed class BlockPlacement
{
    private const int BitsPerByte = 8;

    // The holes between the used bytes, in ascending order.
    private readonly List<(int Start, int End)> _holes = [];
    private int _end;
    private int _presenceByte;
    private int _presenceBits;

    /// <summary>Size of the block in bytes.</summary>
    public int BlockBytes => Math.Max(WireFormat.WordBytes, WireFormat.Align(_end, WireFormat.WordBytes));

    /// <summary>Places the next member.</summary>
    /// <returns>Its byte offset.</returns>
    public int Place(int size, int alignment)
    {
        Debug.Assert(size > 0, "A member has bytes.");
        Debug.Assert(alignment > 0 && (alignment & (alignment - 1)) == 0, "An alignment is a power of two.");
        for (var i = 0; i < _holes.Count; i++)
        {
            var (start, end) = _holes[i];
            var offset = WireFormat.Align(start, alignment);
            if (offset + size <= end)
            {
                _holes.RemoveAt(i);
                AddHole(i, offset + size, end);
                AddHole(i, start, offset);
                return offset;
            }
        }

        var last = WireFormat.Align(_end, alignment);
        AddHole(_holes.Count, _end, last);
        _end = checked(last + size);
        return last;
    }

    /// <summary>Places the next member, a value that may be null, and its presence bit.</summary>
    /// <returns>Its byte offset, and the number of its presence bit, counted from the block's first bit.</returns>
    public (int Offset, int PresenceBit) PlaceNullable(int size, int alignment)
    {
        Debug.Assert(size > 0, "A member has bytes.");
        if (_presenceBits % BitsPerByte == 0)
        {
            _presenceByte = Place(size: 1, alignment: 1);
        }

        var presenceBit = (_presenceByte * BitsPerByte) + (_presenceBits++ % BitsPerByte);
        return (Place(size, alignment), presenceBit);
    }

    private void AddHole(int index, int start, int end)
    {
        Debug.Assert(start <= end, "A hole does not end before it starts.");
        if (start < end)
        {
            _holes.Insert(index, (start, end));
        }
    }
}
