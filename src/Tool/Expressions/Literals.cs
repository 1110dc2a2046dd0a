using System.Text;

namespace BufferedMessages.Tool;

/// <summary>Texts in quotes.</summary>
internal static class Literals
{
    /// <summary>Reads a text in quotes, and stops after it. A backslash before a quote or a backslash keeps it.</summary>
    /// <exception cref="ToolException">It has no end.</exception>
    public static string ReadText(string text, ref int at)
    {
        var start = at;
        var quote = text[at++];
        var value = new StringBuilder();
        while (at < text.Length && text[at] != quote)
        {
            if (text[at] == '\\' && at + 1 < text.Length && (text[at + 1] == quote || text[at + 1] == '\\'))
            {
                at++;
            }

            value.Append(text[at++]);
        }

        if (at == text.Length)
        {
            throw ExpressionFault.At(text, start, "This text has no closing quote.");
        }

        at++;
        return value.ToString();
    }
}
