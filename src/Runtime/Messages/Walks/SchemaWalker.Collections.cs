using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <content>Lists, sets and dictionaries.</content>
internal ref partial struct SchemaWalker
{
    private void Collection(SchemaKind kind, long payload, uint count, ulong slot)
    {
        if (count == 0 && slot != WireFormat.EmptySlot)
        {
            Claim(payload, 0);
        }

        // Messages in messages are counted; lists in lists are not.
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            Malformed.Throw(WireRule.Stack, _bytes.Length - _end);
        }

        var elements = (int)Math.Min(count, int.MaxValue);
        if (kind is SchemaDictionary dictionary)
        {
            _visitor.BeginDictionary(elements);
            if (count != 0)
            {
                Entries(dictionary, payload, count);
            }

            _visitor.EndDictionary();
            return;
        }

        _visitor.BeginList(elements);
        if (count != 0 && kind is SchemaList list)
        {
            Elements(list.Element, payload, count);
        }
        else if (count != 0 && kind is SchemaSet set)
        {
            var header = TableHeader(payload, count);
            if (header != 0)
            {
                Malformed.Throw(WireRule.SetHeader, _bytes.Length - _end);
            }

            Elements(set.Element, _end, count);
        }

        _visitor.EndList();
    }

    private void Entries(SchemaDictionary dictionary, long payload, uint count)
    {
        var header = TableHeader(payload, count);
        var keyBytes = count * (long)(dictionary.Key is SchemaValue value ? value.Size : WireFormat.SlotBytes);
        var keys = Claim(_end, keyBytes);
        var values = Math.Min(payload + header, _bytes.Length);
        var entries = new Entry(dictionary.Key, new Container(keys, (int)keyBytes), (int)values) { KeysEnd = _end };
        Elements(dictionary.Value, values, count, ref entries);
    }

    // Steps past the header and the starts of the buckets, and gives the position of the values.
    private long TableHeader(long payload, uint count)
    {
        var bytes = DictionaryLayout.KeysOffset(count);
        var position = Claim(payload, bytes);
        var header = BinaryPrimitives.ReadUInt64LittleEndian(_bytes[position..]);
        if (header > int.MaxValue)
        {
            Malformed.Throw(WireRule.DictionaryHeader, _bytes.Length - position);
        }

        _visitor.TableHeader(position, (int)bytes, (int)header);
        return (long)header;
    }

    private void Elements(SchemaKind element, long payload, uint count)
    {
        var none = default(Entry);
        Elements(element, payload, count, ref none);
    }

    private void Elements(SchemaKind element, long payload, uint count, ref Entry entry)
    {
        switch (element)
        {
            case SchemaValue value:
                Values(value, payload, count, ref entry);
                break;
            case SchemaNullable { Value: var value }:
                Nullables(value, payload, count, ref entry);
                break;
            case SchemaMessage message:
                Messages(_schema.TypeOf(message), payload, count, ref entry);
                break;
            default:
                Slots(element, payload, count, ref entry);
                break;
        }
    }

    private void Values(SchemaValue value, long payload, uint count, ref Entry entry)
    {
        var position = Claim(payload, (long)count * value.Size);
        for (var i = 0; i < count && !_visitor.IsDone; i++)
        {
            BeginElement(i, ref entry);
            Value(value, position + (i * value.Size));
            _visitor.EndElement();
        }
    }

    private void Nullables(SchemaValue value, long payload, uint count, ref Entry entry)
    {
        var bitmapBytes = ListLayout.ValuesOffset(count, value.Alignment);
        var position = Claim(payload, bitmapBytes + ((long)count * value.Size));
        _visitor.Bitmap(position, (int)bitmapBytes);
        for (var i = 0; i < count && !_visitor.IsDone; i++)
        {
            BeginElement(i, ref entry);
            Nullable(value, position + (int)bitmapBytes + (i * value.Size), IsSet(position, i));
            _visitor.EndElement();
        }
    }

    private void Slots(SchemaKind element, long payload, uint count, ref Entry entry)
    {
        var bytes = (long)count * WireFormat.SlotBytes;
        var slots = new Container(Claim(payload, bytes), (int)bytes);
        for (var i = 0; i < count && !_visitor.IsDone; i++)
        {
            BeginElement(i, ref entry);
            Slot(element, slots, i * WireFormat.SlotBytes);
            _visitor.EndElement();
        }
    }

    private void Messages(SchemaType type, long payload, uint count, ref Entry entry)
    {
        var header = Claim(payload, WireFormat.MessageListHeaderBytes);
        var word = BinaryPrimitives.ReadUInt64LittleEndian(_bytes[header..]);
        var blockBytes = (int)(ushort)word * WireFormat.WordBytes;
        var flags = word >> 16;
        if (blockBytes == 0 || flags > WireFormat.MessageListHasBitmap)
        {
            Malformed.Throw(WireRule.MessageListHeader, _bytes.Length - header);
        }

        var bitmapBytes = flags == 0 ? 0 : ListLayout.ValuesOffset(count, WireFormat.WordBytes);
        var bitmap = Claim(_end, bitmapBytes);
        var position = Claim(_end, (long)count * blockBytes);
        _visitor.ListHeader(header, blockBytes);
        _visitor.Bitmap(bitmap, (int)bitmapBytes);
        for (var i = 0; i < count && !_visitor.IsDone; i++, position += blockBytes)
        {
            BeginElement(i, ref entry);
            if (flags == 0 || IsSet(bitmap, i))
            {
                Message(type, new Container(position, blockBytes));
            }
            else
            {
                _visitor.NullBlock(position, blockBytes);
                _visitor.Null();
            }

            _visitor.EndElement();
        }
    }

    private void BeginElement(int index, ref Entry entry)
    {
        if (entry.Key is null)
        {
            _visitor.BeginElement(index);
            return;
        }

        _visitor.BeginKey(index);
        Key(index, ref entry);
        _visitor.EndKey();
        _visitor.BeginEntryValue(index);
    }

    // The keys come before the values: their payloads are walked over together with those of the values.
    private void Key(int index, ref Entry entry)
    {
        if (entry.Key is SchemaValue value)
        {
            Value(value, entry.Keys.Position + (index * value.Size));
            return;
        }

        (_end, entry.KeysEnd) = (entry.KeysEnd, _end);
        _limit = entry.Values;
        Slot(entry.Key!, entry.Keys, index * WireFormat.SlotBytes, isKey: true);
        _limit = _bytes.Length;
        (_end, entry.KeysEnd) = (entry.KeysEnd, _end);
    }

    /// <summary>The entry that is walked over; the default value for elements of a list.</summary>
    /// <param name="Key">The kind of a key.</param>
    /// <param name="Keys">The array of keys.</param>
    /// <param name="Values">The position of the values.</param>
    private record struct Entry(SchemaKind? Key, Container Keys, int Values)
    {
        /// <summary>The end of the keys seen so far.</summary>
        public int KeysEnd { get; set; }
    }
}
