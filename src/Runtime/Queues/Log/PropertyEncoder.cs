using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;

namespace BufferedMessages.Queues;

/// <summary>
/// The encoder of a producer's properties. The block is encoded before room is reserved, since its size is part of the record's, and is completed when the message is
/// published. Allocates only to grow its buffer. Serves one thread at a time.
/// </summary>
internal sealed class PropertyEncoder(ProducerOptions options, PublishSpan span)
{
    private const int FirstBytes = 256;

    private readonly bool _stampsTime = options.StampTime;
    private readonly bool _stampsTrace = options.StampTrace;
    private byte[] _block = new byte[FirstBytes];
    private int _used;

    // The time is the first entry, and is stored when the message is published.
    private bool _hasTimeToStamp;

    /// <summary>Whether each message has properties.</summary>
    public bool IsStamping => _stampsTime || _stampsTrace;

    /// <summary>Encodes the properties of the next message.</summary>
    /// <returns>Bytes of the block; 0 if there are no properties.</returns>
    /// <exception cref="ArgumentException">A text is too long.</exception>
    public int Encode(MessageProperties? properties)
    {
        _used = 0;
        _hasTimeToStamp = _stampsTime && properties?.Time is null;
        if (_hasTimeToStamp || properties?.Time is not null)
        {
            BinaryPrimitives.WriteInt64LittleEndian(Add(PropertyKind.Time, sizeof(long)), properties?.Time?.UtcTicks ?? 0);
        }

        AddTrace(properties?.TraceContext ?? default);
        if (properties is not null)
        {
            AddOthers(properties);
        }

        return _used == 0 ? 0 : EndBlock();
    }

    /// <summary>Encodes the properties of a copy: those of the message, and the stamps in place of earlier ones.</summary>
    /// <param name="entries">The entries of the message's properties. The bytes may be anything.</param>
    /// <param name="stamps">The stamps.</param>
    /// <returns>Bytes of the block; 0 if there are no properties.</returns>
    /// <exception cref="MalformedMessageException">The entries are not as a producer writes them.</exception>
    public int EncodeCopy(ReadOnlySpan<byte> entries, in CopyStamps stamps)
    {
        _used = 0;
        _hasTimeToStamp = false;
        if (stamps.Time is { } time)
        {
            BinaryPrimitives.WriteInt64LittleEndian(Add(PropertyKind.Time, sizeof(long)), time.UtcTicks);
        }

        var source = stamps.Source;
        var rest = new PropertyEntries(entries);
        for (var last = PropertyKind.None; rest.Next(); last = rest.Kind)
        {
            if (rest.Kind < last || (rest.Kind == last && last < PropertyKind.Header))
            {
                throw new MalformedMessageException($"the property {rest.Kind} comes after the property {last}, and kinds ascend", entries.Length);
            }

            if (source is { } id && rest.Kind >= PropertyKind.Source)
            {
                AddSource(id);
                source = null;
            }

            if (rest.Data.Length > PropertyBlock.MaxDataBytes)
            {
                throw new MalformedMessageException($"the property {rest.Kind} has {rest.Data.Length} bytes, and a property has at most {PropertyBlock.MaxDataBytes}", entries.Length);
            }

            if (!rest.HasLengthOfKind)
            {
                throw new MalformedMessageException($"the {rest.Data.Length} bytes of the property {rest.Kind} are not data of its kind", entries.Length);
            }

            var isReplaced = (rest.Kind == PropertyKind.Source && stamps.Source is not null) || (rest.Kind == PropertyKind.Time && stamps.Time is not null);
            if (!isReplaced)
            {
                rest.Data.CopyTo(Add(rest.Kind, rest.Data.Length));
            }
        }

        if (rest.Remaining.ContainsAnyExcept((byte)0))
        {
            throw new MalformedMessageException("the bytes after the last property are not zero", entries.Length);
        }

        if (source is { } unplaced)
        {
            AddSource(unplaced);
        }

        return _used == 0 ? 0 : EndBlock();
    }

    /// <summary>Writes the encoded block to its place in a record.</summary>
    public void Complete(Span<byte> block, long position)
    {
        if (_hasTimeToStamp)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_block.AsSpan(PropertyBlock.EntryHeaderBytes), DateTime.UtcNow.Ticks);
        }

        _block.AsSpan(0, block.Length).CopyTo(block);
        PropertyBlock.Seal(block, position);
    }

    private void AddTrace(ActivityContext trace)
    {
        if (trace == default && _stampsTrace)
        {
            trace = span.Start();
        }

        if (trace == default)
        {
            return;
        }

        var stateBytes = trace.TraceState is null ? 0 : Encoding.UTF8.GetByteCount(trace.TraceState);
        var data = Add(PropertyKind.Trace, PropertyBlock.TraceBytes + stateBytes);
        trace.TraceId.CopyTo(data[..PropertyBlock.SpanOffset]);
        trace.SpanId.CopyTo(data[PropertyBlock.SpanOffset..PropertyBlock.TraceFlagsOffset]);
        data[PropertyBlock.TraceFlagsOffset] = (byte)trace.TraceFlags;
        Encoding.UTF8.GetBytes(trace.TraceState, data[PropertyBlock.TraceBytes..]);
    }

    private void AddOthers(MessageProperties properties)
    {
        if (properties.Source is { } source)
        {
            AddSource(source);
        }

        AddText(PropertyKind.CorrelationId, properties.CorrelationId);
        AddText(PropertyKind.ReplyTo, properties.ReplyTo);
        if (properties.Attempts != 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(Add(PropertyKind.Attempts, sizeof(int)), properties.Attempts);
        }

        AddText(PropertyKind.Reason, properties.Reason);
        if (properties.HeadersOrNull is { } headers)
        {
            foreach (var (name, value) in headers)
            {
                AddHeader(name, value);
            }
        }
    }

    private void AddSource(in MessageId source)
    {
        var data = Add(PropertyKind.Source, PropertyBlock.SourceBytes);
        source.QueueId.TryWriteBytes(data);
        BinaryPrimitives.WriteInt64LittleEndian(data[PropertyBlock.SourceEpochOffset..], source.Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(data[PropertyBlock.SourcePositionOffset..], source.Position);
    }

    private void AddText(PropertyKind kind, string? text)
    {
        if (text is not null)
        {
            Encoding.UTF8.GetBytes(text, Add(kind, Encoding.UTF8.GetByteCount(text)));
        }
    }

    private void AddHeader(string name, string value)
    {
        var nameBytes = Encoding.UTF8.GetByteCount(name);
        var data = Add(PropertyKind.Header, sizeof(ushort) + nameBytes + Encoding.UTF8.GetByteCount(value));
        BinaryPrimitives.WriteUInt16LittleEndian(data, (ushort)nameBytes);
        Encoding.UTF8.GetBytes(name, data[sizeof(ushort)..]);
        Encoding.UTF8.GetBytes(value, data[(sizeof(ushort) + nameBytes)..]);
    }

    /// <summary>Adds an entry, and returns the place of its data.</summary>
    private Span<byte> Add(PropertyKind kind, int bytes)
    {
        if (bytes > PropertyBlock.MaxDataBytes)
        {
            throw new ArgumentException($"The property {kind} has {bytes} bytes; a property has at most {PropertyBlock.MaxDataBytes}. Put large data into the message.");
        }

        var entryBytes = PropertyBlock.EntryBytes(bytes);
        Require(PropertyBlock.BlockBytes(_used + entryBytes));
        var entry = _block.AsSpan(_used, entryBytes);
        _used += entryBytes;
        BinaryPrimitives.WriteUInt16LittleEndian(entry, (ushort)kind);
        BinaryPrimitives.WriteUInt16LittleEndian(entry[sizeof(ushort)..], (ushort)bytes);
        entry[(PropertyBlock.EntryHeaderBytes + bytes)..].Clear();
        return entry.Slice(PropertyBlock.EntryHeaderBytes, bytes);
    }

    private int EndBlock()
    {
        var bytes = PropertyBlock.BlockBytes(_used);
        Require(bytes);
        _block.AsSpan(_used..bytes).Clear();
        return bytes;
    }

    private void Require(int bytes)
    {
        if (bytes > _block.Length)
        {
            Array.Resize(ref _block, Math.Max(bytes, 2 * _block.Length));
        }
    }
}

/// <summary>The properties that a copy of a message gets in place of those of the message.</summary>
/// <param name="Source">The id of the message; null keeps its own source.</param>
/// <param name="Time">The time; null keeps its own.</param>
internal readonly record struct CopyStamps(MessageId? Source = null, DateTimeOffset? Time = null);
