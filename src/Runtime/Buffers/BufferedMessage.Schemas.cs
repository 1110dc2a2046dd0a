using System.Text.Json;

namespace BufferedMessages;

/// <content>
/// Messages by their schema alone, without their type: a queue or a cache has the schemas of its messages, and <see cref="MessageSchema.Parse"/> makes
/// one of a text that was stored.
/// </content>
public static partial class BufferedMessage
{
    /// <summary>
    /// Checks a whole message against the wire format by its schema, with the same result as <c>Verify</c> of its type's view. The time is linear in the message's
    /// size, whatever its bytes are. Allocates nothing as long as the message is valid.
    /// </summary>
    /// <param name="message">The message; bytes after its end are ignored. Any alignment.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <param name="error">The first rule that is broken, and where, if the result is false.</param>
    /// <param name="exact">
    /// Whether the bytes that no member owns must be as a writer of this very schema leaves them. Without it they may be anything,
    /// because a newer writer may keep members there that this schema does not have.
    /// </param>
    /// <returns>Whether the message is valid.</returns>
    /// <remarks>Messages may be nested 64 deep, and each list in them as deep as its kind. If that needs more stack than this thread has, the result is an error that says so.</remarks>
    public static bool Verify(ReadOnlySpan<byte> message, MessageSchema schema, out MessageError error, bool exact = false)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return schema.Check.Verify(message, out error, exact);
    }

    /// <summary>Writes a message as JSON by its schema, as <see cref="BufferedMessageViewExtensions.WriteJson{TView}"/> does of a view.</summary>
    /// <param name="message">The message; bytes after its end are ignored. Any alignment.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <param name="json">The JSON writer; it is not flushed.</param>
    /// <exception cref="MalformedMessageException">The message breaks a rule of the wire format, or its lists are nested too deep for the stack of this thread. A part of it is written then.</exception>
    /// <exception cref="InvalidOperationException">It is nested deeper than the options of the JSON writer allow, 1000 levels by default. A part of it is written then.</exception>
    public static void WriteJson(ReadOnlySpan<byte> message, MessageSchema schema, Utf8JsonWriter json)
    {
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(json);
        MessageJson.WriteRoot(message, schema, json);
    }

    /// <summary>
    /// Lists the bytes of a message, each with its meaning. For people, not for programs: the form of the listing may change.
    /// </summary>
    /// <param name="message">The message; bytes after its end are left out. A damaged one is listed too, with a last line that names the place where it stops making sense.</param>
    /// <param name="schema">The schema of the message.</param>
    /// <returns>Lines of a position, up to eight bytes and their meaning.</returns>
    public static string Explain(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return MessageExplanation.Of(message, schema.Document);
    }
}
