using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>The way to members of a message: <c>Id</c>, <c>Lines[].Article</c>, <c>Lines[0].Article</c>, <c>Prices["north"]</c>, <c>Prices[]</c>.</summary>
internal sealed class MemberPath
{
    private readonly List<Step> _steps;

    private MemberPath(List<Step> steps) => _steps = steps;

    /// <summary>Reads a path that ends before a character, and stops there.</summary>
    /// <exception cref="ToolException">It is wrong; the message shows where.</exception>
    public static MemberPath ReadTo(string text, ref int at, char end, MemberNames names)
    {
        var path = Read(text, ref at, names);
        return at < text.Length && text[at] == end ? path : throw ExpressionFault.At(text, at, "A path continues with '.' or '[', or ends here.");
    }

    /// <summary>Reads a path, and stops after it.</summary>
    /// <exception cref="ToolException">It is wrong; the message shows where.</exception>
    public static MemberPath Read(string text, ref int at, MemberNames names)
    {
        var steps = new List<Step> { ReadName(text, ref at, names) };
        while (at < text.Length)
        {
            if (text[at] == '.')
            {
                at++;
                steps.Add(ReadName(text, ref at, names));
            }
            else if (text[at] == '[')
            {
                steps.Add(ReadIndex(text, ref at));
            }
            else
            {
                break;
            }
        }

        return new MemberPath(steps);
    }

    /// <summary>Finds the values. A member of null is null; an element that is not there is no value.</summary>
    public IEnumerable<JsonElement> Find(JsonElement root)
    {
        IEnumerable<JsonElement> found = [root];
        foreach (var step in _steps)
        {
            found = found.SelectMany(step.From);
        }

        return found;
    }

    /// <summary>Gets whether a character can be part of a name. Members have the identifiers of C#, whose letters may be followed by marks, such as vowels of Indian scripts.</summary>
    public static bool IsNamePart(char character) => character == '$' || char.IsLetterOrDigit(character) || char.GetUnicodeCategory(character)
        is UnicodeCategory.LetterNumber or UnicodeCategory.NonSpacingMark or UnicodeCategory.SpacingCombiningMark or UnicodeCategory.ConnectorPunctuation;

    private static Step ReadName(string text, ref int at, MemberNames names)
    {
        var start = at;
        while (at < text.Length && IsNamePart(text[at]))
        {
            at++;
        }

        var name = text[start..at];
        if (name.Length == 0)
        {
            throw ExpressionFault.At(text, start, "The name of a member is missing here.");
        }

        return names.Contains(name) ? new Step(name, Index: null, IsAll: false) : throw names.Missing(text, start, name);
    }

    private static Step ReadIndex(string text, ref int at)
    {
        var start = at++;
        if (at < text.Length && text[at] == ']')
        {
            at++;
            return new Step(Name: null, Index: null, IsAll: true);
        }

        if (at < text.Length && text[at] is '"' or '\'')
        {
            var name = Literals.ReadText(text, ref at);
            return at < text.Length && text[at++] == ']' ? new Step(name, Index: null, IsAll: false) : throw ExpressionFault.At(text, start, "This bracket is not closed.");
        }

        var end = text.IndexOf(']', at);
        if (end < 0 || !int.TryParse(text.AsSpan(at, end - at), NumberStyles.None, CultureInfo.InvariantCulture, out var index))
        {
            throw ExpressionFault.At(text, start, "Write [] for all elements, [0] for the first, or [\"key\"] for the value of a key.");
        }

        at = end + 1;
        return new Step(Name: null, index, IsAll: false);
    }

    private sealed record Step(string? Name, int? Index, bool IsAll)
    {
        public IEnumerable<JsonElement> From(JsonElement value)
        {
            if (value.ValueKind == JsonValueKind.Null)
            {
                return Name is null ? [] : [value];
            }

            if (Name is not null)
            {
                return value.ValueKind == JsonValueKind.Object && value.TryGetProperty(Name, out var member) ? [member] : [];
            }

            return value.ValueKind switch
            {
                JsonValueKind.Array when IsAll => value.EnumerateArray(),
                JsonValueKind.Array => Index < value.GetArrayLength() ? [value[Index.Value]] : [],
                JsonValueKind.Object when IsAll => value.EnumerateObject().Select(static entry => entry.Value),
                _ => [],
            };
        }
    }
}
