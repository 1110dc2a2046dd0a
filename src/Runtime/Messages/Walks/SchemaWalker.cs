using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A walk over a message by its schema text, without its type: for tools, not for speed. Every payload must begin at or after the end of the
/// one before, so that the walk is linear in the message's size.
/// </summary>
internal ref partial struct SchemaWalker
{
    private static readonly byte[] Zeros = new byte[ushort.MaxValue];

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly SchemaDocument _schema;
    private readonly SchemaVisitor _visitor;

    // The end of the payloads seen so far, and the limit for all.
    private int _end;
    private int _limit;
    private int _depth;

    private SchemaWalker(ReadOnlySpan<byte> bytes, SchemaDocument schema, SchemaVisitor visitor)
    {
        _bytes = bytes;
        _limit = bytes.Length;
        _schema = schema;
        _visitor = visitor;
    }

    /// <summary>Walks over a whole message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="blockBytes">Size of its root block.</param>
    /// <param name="schema">Its schema.</param>
    /// <param name="visitor">The receiver of its parts.</param>
    /// <exception cref="MalformedMessageException">The message breaks a rule of the wire format.</exception>
    public static void WalkRoot(ReadOnlySpan<byte> message, int blockBytes, SchemaDocument schema, SchemaVisitor visitor)
    {
        var walker = new SchemaWalker(message, schema, visitor);
        var root = new Container(walker.Claim(WireFormat.HeaderBytes, blockBytes), blockBytes);
        if (schema.Root is SchemaMessage type)
        {
            walker.Message(schema.TypeOf(type), root);
        }
        else
        {
            walker._depth = 1;
            walker.Slot(schema.Root, root, offset: 0);
        }
    }

    /// <summary>Walks over the block of a view, which may be nested in a message.</summary>
    /// <param name="content">The block, and the number of the case; never null.</param>
    /// <param name="schema">The schema of the view's type.</param>
    /// <param name="visitor">The receiver of its parts.</param>
    /// <exception cref="MalformedMessageException">The message breaks a rule of the wire format.</exception>
    public static void Walk(CaseReader content, SchemaDocument schema, SchemaVisitor visitor)
    {
        var walker = new SchemaWalker(content.Block.Region, schema, visitor);
        var block = new Container(walker.Claim(0, content.Block.BlockBytes), content.Block.BlockBytes);
        if (schema.Root is SchemaMessage type)
        {
            walker.Message(schema.TypeOf(type), block);
        }
        else
        {
            walker._depth = 1;
            walker.Case((SchemaUnion)schema.Root, content.Number, block);
        }
    }

    private void Case(SchemaUnion union, int number, Container block)
    {
        if (!_schema.CasesOf(union).TryGetValue(number, out var found))
        {
            _visitor.UnknownCase(number, block.Position, block.Bytes);
            return;
        }

        _visitor.BeginCase(number, found.Name);
        Message(_schema.TypeOf(found.Message), block);
    }

    private void Message(SchemaType type, Container block)
    {
        if (++_depth > WireFormat.MaxDepth)
        {
            Malformed.Throw(WireRule.Depth, _bytes.Length - block.Position);
        }

        _visitor.BeginMessage();
        for (var ordinal = 0; ordinal < type.Members.Count && !_visitor.IsDone; ordinal++)
        {
            var member = type.Members[ordinal];
            if (member.Name is { } name)
            {
                _visitor.BeginMember(name);
                Member(member, block);
                _visitor.EndMember();
            }
            else if (block.Holds(member.Offset, member.Size))
            {
                _visitor.Reserved(ordinal, block.Position + member.Offset, member.Size);
            }
        }

        _visitor.EndMessage();
        _depth--;
    }

    private void Member(SchemaMember member, Container block)
    {
        switch (member.Kind)
        {
            case SchemaValue value:
                Value(value, block.Holds(member.Offset, value.Size) ? block.Position + member.Offset : -1);
                break;
            case SchemaNullable { Value: var value }:
                Nullable(value, member, block);
                break;
            default:
                Slot(member.Kind, block, member.Offset);
                break;
        }
    }

    private readonly void Nullable(SchemaValue value, SchemaMember member, Container block)
    {
        var presenceBit = member.PresenceBit.GetValueOrDefault();
        var presenceByte = presenceBit >> 3;
        if (!block.Holds(member.Offset, value.Size) || !block.Holds(presenceByte, 1))
        {
            _visitor.Null();
            return;
        }

        _visitor.PresenceBit(block.Position + presenceByte);
        Nullable(value, block.Position + member.Offset, IsSet(block.Position, presenceBit));
    }

    private readonly void Nullable(SchemaValue value, int position, bool isPresent)
    {
        if (isPresent)
        {
            Value(value, position);
            return;
        }

        _visitor.NullValue(position, value.Size);
        _visitor.Null();
    }

    private readonly void Value(SchemaValue value, int position) =>
        _visitor.Value(value, position, position < 0 ? Zeros.AsSpan(0, value.Size) : _bytes.Slice(position, value.Size));

    private void Slot(SchemaKind kind, Container container, int offset, bool isKey = false)
    {
        var position = container.Position + offset;
        if (!container.Holds(offset, WireFormat.SlotBytes))
        {
            _visitor.Null();
            return;
        }

        var slot = BinaryPrimitives.ReadUInt64LittleEndian(_bytes[position..]);
        if (slot == 0 && isKey)
        {
            Malformed.Throw(WireRule.NullKey, _bytes.Length - position);
        }

        _visitor.Slot(position, kind, slot);
        if (slot == 0)
        {
            _visitor.Null();
            return;
        }

        var payload = (long)container.Position + (uint)(slot >> 32);
        switch (kind)
        {
            case SchemaString:
                var text = Bytes(position, slot, payload, out var textPosition);
                _visitor.Text(textPosition, text);
                break;
            case SchemaBinary:
                var binary = Bytes(position, slot, payload, out var binaryPosition);
                _visitor.Binary(binaryPosition, binary);
                break;
            case SchemaMessage message:
                Message(_schema.TypeOf(message), Nested(payload, (uint)slot));
                break;
            case SchemaUnion union:
                Union(union, payload, (uint)slot);
                break;
            default:
                Collection(kind, payload, slot == WireFormat.EmptySlot ? 0 : (uint)slot, slot);
                break;
        }
    }

    private ReadOnlySpan<byte> Bytes(int slotPosition, ulong slot, long payload, out int position)
    {
        if ((long)slot > 0)
        {
            position = Claim(payload, (uint)slot);
            return _bytes.Slice(position, (int)(uint)slot);
        }

        var length = (int)(slot >> 56) & 0x7F;
        if (length > WireFormat.MaxInlineBytes)
        {
            Malformed.Throw(WireRule.InlineLength, _bytes.Length - slotPosition);
        }

        position = slotPosition;
        return _bytes.Slice(slotPosition, length);
    }

    private void Union(SchemaUnion union, long payload, uint length)
    {
        var number = (int)(length >> 16);
        if (number == 0)
        {
            Malformed.Throw(WireRule.Case, _bytes.Length - _end);
        }

        Case(union, number, Nested(payload, (ushort)length));
    }

    private Container Nested(long payload, uint blockWords)
    {
        if (blockWords - 1 >= WireFormat.MaxBlockWords)
        {
            Malformed.Throw(WireRule.NestedSlot, _bytes.Length - _end);
        }

        var blockBytes = (int)blockWords * WireFormat.WordBytes;
        return new Container(Claim(payload, blockBytes), blockBytes);
    }

    private readonly bool IsSet(int position, int bit) => (_bytes[position + (bit >> 3)] & (1 << (bit & 7))) != 0;

    // Checks the place of a payload, and steps past it.
    private int Claim(long position, long bytes)
    {
        if (position < _end)
        {
            Malformed.Throw(WireRule.Order, _bytes.Length - _end);
        }

        if (position + bytes > _limit)
        {
            Malformed.Throw(WireRule.Payload, _bytes.Length - _end);
        }

        _end = (int)(position + bytes);
        return (int)position;
    }

    /// <summary>A block or a slot array.</summary>
    private readonly record struct Container(int Position, int Bytes)
    {
        public bool Holds(int offset, int bytes) => (long)offset + bytes <= Bytes;
    }
}
