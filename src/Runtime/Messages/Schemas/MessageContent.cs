using System.Buffers;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>Compares messages by what is in them, wherever their payloads lie.</summary>
internal static class MessageContent
{
    /// <summary>Whether two messages of a schema hold the same.</summary>
    /// <exception cref="MalformedMessageException">One breaks a rule of the wire format.</exception>
    public static bool AreEqual(BlockReader first, BlockReader second, MessageSchema schema)
    {
        if (first.IsNull || second.IsNull)
        {
            return first.IsNull && second.IsNull;
        }

        return first.BlockBytes == second.BlockBytes && first.Region.SequenceEqual(second.Region)
            || Of(first, schema).WrittenSpan.SequenceEqual(Of(second, schema).WrittenSpan);
    }

    private static ArrayBufferWriter<byte> Of(BlockReader block, MessageSchema schema)
    {
        var content = new ArrayBufferWriter<byte>(block.Region.Length);
        SchemaWalker.Walk(block.Region, 0, block.BlockBytes, schema.Document, new ContentVisitor(content));
        return content;
    }
}
