using System.Buffers.Binary;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>The queue that an export file is of.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Options">The options that make another queue like it.</param>
/// <param name="Content">Its content; null if that was undecided.</param>
internal sealed record ExportedQueue(Guid Id, MessageQueueOptions Options, QueueContent? Content)
{
    private const uint MostKinds = (uint)ContentKind.Value;

    /// <summary>Describes a queue.</summary>
    public static ExportedQueue Of(MessageQueue queue) => new(queue.Id, queue.GetOptions(), queue.Content);

    /// <summary>Gives the body of the block.</summary>
    public byte[] Encode()
    {
        var text = Encoding.UTF8.GetBytes(Content?.Text ?? "");
        var body = new byte[ExportFormat.QueueBytes + text.Length];
        Id.TryWriteBytes(body);
        BinaryPrimitives.WriteUInt32LittleEndian(body.AsSpan(16), Options.Mode == QueueMode.Durable ? 1u : 2u);
        BinaryPrimitives.WriteUInt32LittleEndian(body.AsSpan(20), Options.Producers == ProducerMode.Single ? 1u : 2u);
        BinaryPrimitives.WriteInt64LittleEndian(body.AsSpan(24), Options.SegmentBytes ?? 0);
        BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(32), Options.Slots ?? 0);
        BinaryPrimitives.WriteUInt32LittleEndian(body.AsSpan(36), (uint)(Options.Flush ?? FlushMode.None));
        BinaryPrimitives.WriteUInt32LittleEndian(body.AsSpan(40), (uint)(Content?.Kind ?? ContentKind.Undecided));
        BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(44), text.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(body.AsSpan(48), Content?.Fingerprint ?? 0);
        text.CopyTo(body.AsSpan(ExportFormat.QueueBytes));
        return body;
    }

    /// <summary>Reads the body of the block.</summary>
    /// <returns>Null if its bytes are impossible.</returns>
    public static ExportedQueue? Decode(ReadOnlySpan<byte> body)
    {
        if (body.Length < ExportFormat.QueueBytes
            || BinaryPrimitives.ReadInt32LittleEndian(body[44..]) != body.Length - ExportFormat.QueueBytes
            || BinaryPrimitives.ReadUInt32LittleEndian(body[40..]) > MostKinds
            || BinaryPrimitives.ReadUInt32LittleEndian(body[36..]) > (uint)FlushMode.EveryMessage)
        {
            return null;
        }

        var isDurable = BinaryPrimitives.ReadUInt32LittleEndian(body[16..]) == 1;
        var options = new MessageQueueOptions
        {
            Mode = isDurable ? QueueMode.Durable : QueueMode.Bounded,
            Producers = BinaryPrimitives.ReadUInt32LittleEndian(body[20..]) == 1 ? ProducerMode.Single : ProducerMode.Multiple,
            SegmentBytes = BinaryPrimitives.ReadInt64LittleEndian(body[24..]),
            Slots = isDurable ? null : BinaryPrimitives.ReadInt32LittleEndian(body[32..]),
            Flush = (FlushMode)BinaryPrimitives.ReadUInt32LittleEndian(body[36..]),
        };
        var kind = (ContentKind)BinaryPrimitives.ReadUInt32LittleEndian(body[40..]);
        var content = kind == ContentKind.Undecided
            ? null
            : new QueueContent(kind, Encoding.UTF8.GetString(body[ExportFormat.QueueBytes..]), BinaryPrimitives.ReadUInt64LittleEndian(body[48..]));
        return new ExportedQueue(new Guid(body[..16]), options, content);
    }
}
