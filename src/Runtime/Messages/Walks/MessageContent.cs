using System.Buffers;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The comparison of messages by their content, wherever their payloads are.</summary>
internal static class MessageContent
{
    /// <summary>Whether two messages of a schema have the same content.</summary>
    /// <exception cref="MalformedMessageException">One breaks a rule of the wire format.</exception>
    public static bool AreEqual(CaseReader first, CaseReader second, MessageSchema schema)
    {
        if (first.IsNull || second.IsNull)
        {
            return first.IsNull && second.IsNull;
        }

        if (first.Number != second.Number)
        {
            return false;
        }

        return first.Block.BlockBytes == second.Block.BlockBytes && first.Block.Region.SequenceEqual(second.Block.Region)
            || (Of(first, schema) is { } content && Of(second, schema) is { } other && content.WrittenSpan.SequenceEqual(other.WrittenSpan));
    }

    // Null if the message holds more than the schema describes.
    private static ArrayBufferWriter<byte>? Of(CaseReader message, MessageSchema schema)
    {
        var content = new ArrayBufferWriter<byte>(message.Block.Region.Length);
        var visitor = new ContentVisitor(content);
        SchemaWalker.Walk(message, schema.Document, visitor);
        return visitor.HasUnknownCase ? null : content;
    }
}
