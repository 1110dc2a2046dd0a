using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;

namespace BufferedMessages.Generator.Layout;

/// <summary>
/// Gives every member its place in the block, as docs/wire-format.md says: in ordinal order, each at the lowest hole that fits,
/// else at the end. A member never moves when others are added behind it.
/// </summary>
internal static class LayoutPlanner
{
    private const int BitsPerByte = 8;

    /// <summary>Plans the block of a message.</summary>
    /// <exception cref="InvalidOperationException">The members do not fit into the largest block.</exception>
    public static MessageLayout Plan(IEnumerable<MemberKind> kinds)
    {
        var space = new BlockSpace();
        var places = new List<MemberPlace>();
        var presenceByte = 0;
        var presenceBits = 0;
        foreach (var kind in kinds)
        {
            int? presenceBit = null;
            if (kind is NullableKind)
            {
                if (presenceBits % BitsPerByte == 0)
                {
                    presenceByte = space.Place(size: 1, alignment: 1);
                }

                presenceBit = (presenceByte * BitsPerByte) + (presenceBits++ % BitsPerByte);
            }

            var (size, alignment) = Footprint(kind);
            places.Add(new MemberPlace(space.Place(size, alignment), size, presenceBit));
        }

        var blockBytes = Math.Max(WireFormat.WordBytes, WireFormat.Align(space.End, WireFormat.WordBytes));
        if (blockBytes / WireFormat.WordBytes > WireFormat.MaxBlockWords)
        {
            throw new InvalidOperationException(
                $"its members take {blockBytes} bytes in the block, but a block has at most {WireFormat.MaxBlockWords * WireFormat.WordBytes}; move large structs into lists or nested messages");
        }

        return new MessageLayout(blockBytes, new EquatableArray<MemberPlace>(places));
    }

    private static (int Size, int Alignment) Footprint(MemberKind kind) => kind switch
    {
        ValueKind value => (value.Size, value.Alignment),
        NullableKind nullable => (nullable.Value.Size, nullable.Value.Alignment),
        _ => (WireFormat.SlotBytes, WireFormat.SlotBytes),
    };

    /// <summary>The used bytes of a block, and the holes between them in ascending order.</summary>
    private sealed class BlockSpace
    {
        private readonly List<(int Start, int End)> _holes = [];

        public int End { get; private set; }

        public int Place(int size, int alignment)
        {
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

            var last = WireFormat.Align(End, alignment);
            AddHole(_holes.Count, End, last);
            End = checked(last + size);
            return last;
        }

        private void AddHole(int index, int start, int end)
        {
            if (start < end)
            {
                _holes.Insert(index, (start, end));
            }
        }
    }
}
