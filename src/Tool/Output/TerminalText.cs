using System.Globalization;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>Text of messages, names and paths for people: nothing in it moves the cursor, changes colors or reverses the order of letters.</summary>
internal static class TerminalText
{
    /// <summary>Escapes each character that a terminal may take for a command, as <c>\u001B</c>. A line feed and a tab are escaped too.</summary>
    public static string Escape(string text)
    {
        var start = FindUnsafe(text);
        if (start < 0)
        {
            return text;
        }

        var escaped = new StringBuilder(text.Length + 16).Append(text, 0, start);
        for (var i = start; i < text.Length; i++)
        {
            if (char.IsSurrogatePair(text, i) && !IsUnsafe(CharUnicodeInfo.GetUnicodeCategory(text, i)))
            {
                escaped.Append(text, i++, 2);
            }
            else if (IsUnsafe(char.GetUnicodeCategory(text[i])))
            {
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)text[i]:X4}");
            }
            else
            {
                escaped.Append(text[i]);
            }
        }

        return escaped.ToString();
    }

    /// <summary>Escapes each line of a text of several lines.</summary>
    public static string EscapeLines(string text) => string.Join('\n', text.Split('\n').Select(Escape));

    private static int FindUnsafe(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (IsUnsafe(char.GetUnicodeCategory(text[i])))
            {
                return i;
            }
        }

        return -1;
    }

    // Control characters, and the invisible ones that reorder or hide text. A surrogate is looked at with its partner.
    private static bool IsUnsafe(UnicodeCategory category) => category
        is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate;
}
