using System.Buffers.Binary;
using System.Text;

namespace BufferedMessages.Bridges;

/// <summary>The body of a run that holds the schema: u32 kind of the content, then the stored text of the queue in UTF-8.</summary>
internal static class RunContent
{
    private const int KindBytes = 4;

    public static byte[] Encode(QueueContent content)
    {
        var bytes = new byte[KindBytes + Encoding.UTF8.GetByteCount(content.Text)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)content.Kind);
        Encoding.UTF8.GetBytes(content.Text, bytes.AsSpan(KindBytes));
        return bytes;
    }

    /// <exception cref="FormatException">The bytes are not a content, or not that of the fingerprint: a queue that stored it would refuse its own programs.</exception>
    public static QueueContent Decode(in MessageRun run)
    {
        var body = run.Body.Span;
        if (body.Length < KindBytes || BinaryPrimitives.ReadUInt32LittleEndian(body) is not (>= (uint)ContentKind.Raw and <= (uint)ContentKind.Value and var kind))
        {
            throw new FormatException("A schema in the stream is damaged.");
        }

        var content = new QueueContent((ContentKind)kind, Encoding.UTF8.GetString(body[KindBytes..]), run.Fingerprint);
        var isWhole = content.Kind == ContentKind.Raw ? content is { Text: "", Fingerprint: 0 } : content.HasItsFingerprint;
        return isWhole ? content : throw new FormatException("A schema in the stream is damaged: its fingerprint is that of another one.");
    }
}
