using System.Text.Json;

namespace BufferedMessages;

/// <summary>Extensions of views of every type.</summary>
public static class BufferedMessageViewExtensions
{
    /// <summary>
    /// Compares the content of two messages: the members that the type knows, even if another version of the type wrote one of the messages. Values
    /// are compared by their bytes, so 1.0m and 1.00m differ. Messages with the same bytes are compared fast; others are read by their schema text.
    /// Messages with a case of a union that the type does not know are equal only if they have the same bytes.
    /// </summary>
    /// <param name="view">A message; null equals null only.</param>
    /// <param name="other">The other message.</param>
    /// <exception cref="MalformedMessageException">A message breaks a rule of the wire format.</exception>
    public static bool ContentEquals<TView>(this TView view, TView other)
        where TView : IBufferedMessage<TView>, allows ref struct
        => MessageContent.AreEqual(view.Content, other.Content, TView.Schema);

    /// <summary>
    /// Writes the message as JSON: members by their names, enums as numbers, binaries as base64, structs as arrays of their fields,
    /// dictionaries as objects with their keys as names in the order of the message, sets as arrays, dates and times in the formats that
    /// System.Text.Json reads, unions with the name of their case as <c>$type</c>, or its number if it is unknown. It is not meant for speed: the message is read by its schema text.
    /// </summary>
    /// <param name="view">The message; null is written as null.</param>
    /// <param name="json">The JSON writer; it is not flushed.</param>
    /// <exception cref="MalformedMessageException">The message breaks a rule of the wire format. Part of it has been written by then.</exception>
    /// <exception cref="InvalidOperationException">It is nested deeper than the options of the JSON writer allow, 1000 levels by default. Part of it has been written by then.</exception>
    public static void WriteJson<TView>(this TView view, Utf8JsonWriter json)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(json);
        MessageJson.Write(view.Content, TView.Schema, json);
    }
}
