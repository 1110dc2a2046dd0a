using System.Buffers.Binary;
using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The properties of a delivered message, read in place. Valid while the delivery is open. Reading them does not allocate, except for a trace state.
/// A property that the message does not have is null.
/// </summary>
public readonly ref struct DeliveryProperties
{
    private readonly ReadOnlySpan<byte> _entries;

    internal DeliveryProperties(ReadOnlySpan<byte> entries) => _entries = entries;

    /// <summary>The properties as they are stored.</summary>
    internal ReadOnlySpan<byte> Entries => _entries;

    /// <summary>Gets whether the message has no properties.</summary>
    public bool IsEmpty => _entries.IsEmpty;

    /// <summary>Gets the time of publishing.</summary>
    public DateTimeOffset? Time => new PropertyEntries(_entries).Time;

    /// <summary>Gets the trace context; the default if the message has none.</summary>
    public ActivityContext TraceContext =>
        TryFind(PropertyKind.Trace, PropertyBlock.TraceBytes, out var data)
            ? new ActivityContext(
                ActivityTraceId.CreateFromBytes(data[..PropertyBlock.SpanOffset]),
                ActivitySpanId.CreateFromBytes(data[PropertyBlock.SpanOffset..PropertyBlock.TraceFlagsOffset]),
                (ActivityTraceFlags)data[PropertyBlock.TraceFlagsOffset],
                data.Length == PropertyBlock.TraceBytes ? null : new BufferedString(data[PropertyBlock.TraceBytes..]).ToString(),
                isRemote: true)
            : default;

    /// <summary>Gets the message that this one is a copy of.</summary>
    public MessageId? Source =>
        TryFind(PropertyKind.Source, PropertyBlock.SourceBytes, out var data)
            ? new MessageId(new Guid(data[..PropertyBlock.SourceEpochOffset]), BinaryPrimitives.ReadInt64LittleEndian(data[PropertyBlock.SourceEpochOffset..]), BinaryPrimitives.ReadInt64LittleEndian(data[PropertyBlock.SourcePositionOffset..]))
            : null;

    /// <summary>Gets the id that a reply carries back to its request.</summary>
    public BufferedString CorrelationId => TextOf(PropertyKind.CorrelationId);

    /// <summary>Gets the address to which a reply should be sent.</summary>
    public BufferedString ReplyTo => TextOf(PropertyKind.ReplyTo);

    /// <summary>Gets the number of failed attempts to handle the message; 0 if none is stored, and at most 2,147,483,647.</summary>
    public int Attempts => TryFind(PropertyKind.Attempts, sizeof(uint), out var data) ? (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(data), int.MaxValue) : 0;

    /// <summary>Gets the reason why the message is in this queue.</summary>
    public BufferedString Reason => TextOf(PropertyKind.Reason);

    /// <summary>Looks up a header.</summary>
    /// <param name="name">Its name, compared ordinally.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False if the message has no such header.</returns>
    public bool TryGetHeader(ReadOnlySpan<char> name, out BufferedString value)
    {
        var entries = new PropertyEntries(_entries);
        while (entries.Next(PropertyKind.Header, sizeof(ushort)))
        {
            if (TrySplit(entries.Data, out var found, out value) && found.Equals(name))
            {
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>Copies the properties, for example to publish the message again.</summary>
    public MessageProperties ToProperties()
    {
        var copy = new MessageProperties
        {
            Time = Time,
            TraceContext = TraceContext,
            Source = Source,
            CorrelationId = CorrelationId,
            ReplyTo = ReplyTo,
            Attempts = Attempts,
            Reason = Reason,
        };
        var entries = new PropertyEntries(_entries);
        while (entries.Next(PropertyKind.Header, sizeof(ushort)))
        {
            if (TrySplit(entries.Data, out var name, out var value))
            {
                copy.Headers[name.ToString()!] = value.ToString()!;
            }
        }

        return copy;
    }

    private static bool TrySplit(ReadOnlySpan<byte> header, out BufferedString name, out BufferedString value)
    {
        var nameBytes = BinaryPrimitives.ReadUInt16LittleEndian(header);
        var texts = header[sizeof(ushort)..];
        var fits = nameBytes <= texts.Length;
        name = fits ? new BufferedString(texts[..nameBytes]) : default;
        value = fits ? new BufferedString(texts[nameBytes..]) : default;
        return fits;
    }

    private BufferedString TextOf(PropertyKind kind) => TryFind(kind, 0, out var data) ? new BufferedString(data) : default;

    private bool TryFind(PropertyKind kind, int minBytes, out ReadOnlySpan<byte> data)
    {
        var entries = new PropertyEntries(_entries);
        var isFound = entries.Next(kind, minBytes);
        data = isFound ? entries.Data : default;
        return isFound;
    }
}
