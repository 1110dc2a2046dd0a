using System.Text.Json;

namespace BufferedMessages;

/// <content>
/// Messages by their schema alone, without their type. A queue or a cache has the schemas of its messages, and <see cref="MessageSchema.Parse"/> creates
/// one from a stored text.
/// </content>
public static partial class BufferedMessage
{
    /// <summary>
    /// Checks a whole message against the wire format by its schema, with the same result as <c>Verify</c> of its type's view. The time is linear in the message's
    /// size, whatever its bytes are. Allocates nothing as long as the message is valid.
    /// </summary>
    /// <param name="message">The message, at any alignment; bytes after its end are ignored.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <param name="error">If the result is false, the first rule that is broken, and where.</param>
    /// <param name="exact">
    /// True to require the bytes that no member owns to be as a writer of this very schema leaves them. If false, they may be anything,
    /// because a newer writer may keep members there that this schema does not have.
    /// </param>
    /// <returns>True if the message is valid.</returns>
    /// <remarks>Messages may be nested 64 deep, and each list in them as deep as its kind. If that needs more stack than this thread has, the result is an error that says so.</remarks>
    public static bool Verify(ReadOnlySpan<byte> message, MessageSchema schema, out MessageError error, bool exact = false)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return schema.Check.Verify(message, out error, exact);
    }

    /// <summary>Writes a message as JSON by its schema, as <see cref="BufferedMessageViewExtensions.WriteJson{TView}"/> does for a view.</summary>
    /// <param name="message">The message, at any alignment; bytes after its end are ignored.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <param name="json">The JSON writer; it is not flushed.</param>
    /// <exception cref="MalformedMessageException">
    /// The message breaks a rule of the wire format, or its lists are nested too deep for the stack of this thread. Part of it has been written by then.
    /// </exception>
    /// <exception cref="InvalidOperationException">It is nested deeper than the options of the JSON writer allow, 1000 levels by default. Part of it has been written by then.</exception>
    public static void WriteJson(ReadOnlySpan<byte> message, MessageSchema schema, Utf8JsonWriter json)
    {
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(json);
        MessageJson.WriteRoot(message, schema, json);
    }

    /// <summary>
    /// Lists the bytes of a message, each with its meaning. The listing is for people, not for programs: its form may change.
    /// </summary>
    /// <param name="message">The message; bytes after its end are left out. For a damaged message, the last line of the listing names the place where it stops making sense.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <returns>Lines of a position, up to eight bytes and their meaning.</returns>
    public static string Explain(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return MessageExplanation.Of(message, schema.Document);
    }
}
