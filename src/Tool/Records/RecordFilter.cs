using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace BufferedMessages.Tool;

/// <summary>A condition and a regular expression that messages must satisfy. Serves one thread at a time.</summary>
internal sealed class RecordFilter : IDisposable
{
    private readonly MessageText _text = new(isReadable: true);
    private readonly SchemaVersions _schemas;
    private readonly Condition? _condition;
    private readonly Regex? _pattern;

    private RecordFilter(SchemaVersions schemas, Condition? condition, Regex? pattern)
    {
        _schemas = schemas;
        _condition = condition;
        _pattern = pattern;
    }

    /// <summary>Gets the number of messages that could not be read.</summary>
    public long Malformed { get; private set; }

    /// <summary>Makes a filter.</summary>
    /// <param name="schemas">The schemas of the messages.</param>
    /// <param name="condition">A condition on members; null for none.</param>
    /// <param name="pattern">A regular expression over the JSON; null for none.</param>
    /// <exception cref="ToolException">Neither is given, one of them is wrong, or the messages have no schema.</exception>
    public static RecordFilter Create(SchemaVersions schemas, string? condition, string? pattern)
    {
        if (condition is null && pattern is null)
        {
            throw new ToolException("Give a condition such as 'Id > 5', or -i and a regular expression.");
        }

        if (schemas.All.Count == 0)
        {
            throw new ToolException("The queue has no schema: its messages are bytes or values, or there was no producer yet. There are no members to compare.");
        }

        return new RecordFilter(schemas, condition is null ? null : ConditionParser.Parse(condition, new MemberNames(schemas.All)), pattern is null ? null : Patterns.Parse(pattern));
    }

    /// <summary>Whether a message satisfies both.</summary>
    public bool Matches(ReadOnlySpan<byte> message)
    {
        if (_schemas.Newest is not { } schema || _text.Write(message, schema) is not null)
        {
            Malformed++;
            return false;
        }

        if (_pattern is not null && !_pattern.IsMatch(Encoding.UTF8.GetString(_text.Json)))
        {
            return false;
        }

        if (_condition is null)
        {
            return true;
        }

        using var document = JsonDocument.Parse(_text.Json.ToArray(), new JsonDocumentOptions { MaxDepth = int.MaxValue });
        return _condition.Holds(document.RootElement);
    }

    /// <summary>Says how many messages could not be read, if there are any.</summary>
    public void Report(Call call)
    {
        if (Malformed > 0)
        {
            call.Remark($"{Quantity.Count(Malformed, "message")} could not be compared: not as the schema says.");
        }
    }

    public void Dispose() => _text.Dispose();
}
