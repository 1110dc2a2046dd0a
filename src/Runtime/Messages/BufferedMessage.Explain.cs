namespace BufferedMessages;

/// <content>Looking into messages.</content>
public static partial class BufferedMessage
{
    /// <summary>
    /// Lists the bytes of a message and says what each of them is. It needs the schema text only, not the type: a queue or a cache has it,
    /// and <see cref="MessageSchema.Text"/> gives it. For people, not for programs: the form of the listing may change.
    /// </summary>
    /// <param name="message">The message; bytes behind its end are left out. A damaged one is listed too, with a last line that says where it stops making sense.</param>
    /// <param name="schema">The schema text of the message.</param>
    /// <returns>Lines of a position, up to eight bytes and their meaning.</returns>
    /// <exception cref="FormatException">The text is no schema text, or one of a newer version.</exception>
    public static string Explain(ReadOnlySpan<byte> message, string schema)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return MessageExplanation.Of(message, SchemaDocument.Parse(schema));
    }

    /// <inheritdoc cref="Explain(ReadOnlySpan{byte}, string)"/>
    public static string Explain(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return MessageExplanation.Of(message, schema.Document);
    }
}
