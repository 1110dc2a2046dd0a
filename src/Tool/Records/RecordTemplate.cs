using System.Globalization;
using System.Text;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// A line with members in it: <c>{Position} {Note} {Lines[].Article}</c>. A member of the message comes before a word of the record that has the same name. Values of several elements are
/// separated by commas, null is empty, and <c>{{</c> is a brace.
/// </summary>
internal sealed class RecordTemplate
{
    private static readonly string[] Words = ["Position", "Epoch", "Bytes", "Time"];

    private readonly List<(string Text, MemberPath? Path, string Word)> _parts;

    private RecordTemplate(List<(string Text, MemberPath? Path, string Word)> parts) => _parts = parts;

    /// <summary>Reads a template.</summary>
    /// <param name="text">The template.</param>
    /// <param name="names">The names that messages have.</param>
    /// <exception cref="ToolException">It is wrong; the message shows where.</exception>
    public static RecordTemplate Parse(string text, MemberNames names)
    {
        var parts = new List<(string, MemberPath?, string)>();
        var literal = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] is '{' or '}' && i + 1 < text.Length && text[i + 1] == text[i])
            {
                literal.Append(text[i++]);
            }
            else if (text[i] == '{')
            {
                var end = text.IndexOf('}', i);
                if (end < 0)
                {
                    throw ExpressionFault.At(text, i, "This brace is not closed. Write '{{' for a brace.");
                }

                var word = text[(i + 1)..end];
                MemberPath? path = null;
                if (!Words.Contains(word, StringComparer.Ordinal) || names.Contains(word))
                {
                    // A key in the path may have a brace, too.
                    end = i + 1;
                    path = MemberPath.ReadTo(text, ref end, '}', names);
                }

                parts.Add((literal.ToString(), path, word));
                literal.Clear();
                i = end;
            }
            else
            {
                literal.Append(text[i]);
            }
        }

        parts.Add((literal.ToString(), null, ""));
        return new RecordTemplate(parts);
    }

    /// <summary>Fills the template.</summary>
    /// <param name="delivery">The record.</param>
    /// <param name="message">The message as JSON; empty if it cannot be read.</param>
    /// <returns>The line. The text between the values is as the user wrote it, and the values cannot command a terminal.</returns>
    public string Fill(in Delivery<RawMessage> delivery, ReadOnlySpan<byte> message)
    {
        using var document = message.IsEmpty ? null : JsonDocument.Parse(message.ToArray(), new JsonDocumentOptions { MaxDepth = int.MaxValue });
        var line = new StringBuilder();
        foreach (var (text, path, word) in _parts)
        {
            line.Append(text);
            if (path is null)
            {
                line.Append(WordOf(delivery, word));
            }
            else if (document is not null)
            {
                // A word may be the name of a member that only nested messages have.
                string[] values = [.. path.Find(document.RootElement).Select(TextOf)];
                line.Append(values.Length == 0 ? WordOf(delivery, word) : TerminalText.Escape(string.Join(',', values)));
            }
        }

        return line.ToString();
    }

    private static string WordOf(in Delivery<RawMessage> delivery, string word) => word switch
    {
        "Position" => delivery.Position.ToString(CultureInfo.InvariantCulture),
        "Epoch" => delivery.Id.Epoch.ToString(CultureInfo.InvariantCulture),
        "Bytes" => delivery.Message.Bytes.Length.ToString(CultureInfo.InvariantCulture),
        "Time" => delivery.Properties.Time?.UtcDateTime.ToString("O", CultureInfo.InvariantCulture) ?? "",
        _ => "",
    };

    private static string TextOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => "",
        JsonValueKind.String => value.GetString()!,
        _ => value.GetRawText(),
    };
}
