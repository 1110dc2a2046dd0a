using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// Reads conditions:
/// <code>
/// or         = and { "or" and } ;
/// and        = not { "and" not } ;
/// not        = [ "not" ] ( "(" or ")" | comparison ) ;
/// comparison = operand [ ( "==" | "!=" | "&lt;" | "&lt;=" | ">" | ">=" | "contains" ) operand ] ;
/// operand    = path | number | text | "true" | "false" | "null" ;
/// </code>
/// </summary>
internal sealed class ConditionParser
{
    private const int MaxDepth = 100;

    private static readonly string[] Operators = ["==", "!=", "<=", ">=", "<", ">", "contains"];

    private readonly string _text;
    private readonly MemberNames _names;
    private int _at;
    private int _depth;

    private ConditionParser(string text, MemberNames names)
    {
        _text = text;
        _names = names;
    }

    /// <summary>Reads a condition.</summary>
    /// <param name="text">The condition.</param>
    /// <param name="names">The names that messages have.</param>
    /// <exception cref="ToolException">It is wrong; the message shows where.</exception>
    public static Condition Parse(string text, MemberNames names)
    {
        var parser = new ConditionParser(text, names);
        var condition = parser.Or();
        parser.SkipSpaces();
        return parser._at == text.Length ? condition : throw parser.Fault(parser._text[parser._at] == '=' ? "Write == for a comparison." : "An 'and', an 'or' or the end is expected here.");
    }

    private Condition Or()
    {
        if (++_depth > MaxDepth)
        {
            throw Fault($"The expression is nested more than {MaxDepth} deep.");
        }

        var condition = And();
        while (TryWord("or"))
        {
            condition = new Either(condition, And());
        }

        _depth--;
        return condition;
    }

    private Condition And()
    {
        var condition = Not();
        while (TryWord("and"))
        {
            condition = new Both(condition, Not());
        }

        return condition;
    }

    private Condition Not()
    {
        var isNot = false;
        while (TryWord("not"))
        {
            isNot = !isNot;
        }

        var condition = Primary();
        return isNot ? new Not(condition) : condition;
    }

    private Condition Primary()
    {
        SkipSpaces();
        if (_at == _text.Length || _text[_at] != '(')
        {
            return Compare();
        }

        var start = _at++;
        var condition = Or();
        SkipSpaces();
        if (_at == _text.Length || _text[_at] != ')')
        {
            throw ExpressionFault.At(_text, start, "This parenthesis is not closed.");
        }

        _at++;
        return condition;
    }

    private Condition Compare()
    {
        var start = _at;
        var left = ReadOperand();
        SkipSpaces();
        if (Array.Find(Operators, IsHere) is { } found)
        {
            _at += found.Length;
            return new Comparison(left, found, ReadOperand());
        }

        return left.Path is { } path ? new Present(path) : throw ExpressionFault.At(_text, start, "A constant alone is not a condition. Compare it with a member.");
    }

    private Operand ReadOperand()
    {
        SkipSpaces();
        if (_at == _text.Length)
        {
            throw Fault("A member or a constant is missing here.");
        }

        if (_text[_at] is '"' or '\'')
        {
            return Constant(JsonValueKind.String, Literals.ReadText(_text, ref _at));
        }

        if (char.IsAsciiDigit(_text[_at]) || _text[_at] == '-')
        {
            return Constant(JsonValueKind.Number, ReadNumber());
        }

        if (TryWord("true"))
        {
            return Constant(JsonValueKind.True, "true");
        }

        if (TryWord("false"))
        {
            return Constant(JsonValueKind.False, "false");
        }

        return TryWord("null") ? Constant(JsonValueKind.Null, "") : new Operand(MemberPath.Read(_text, ref _at, _names), default);
    }

    private static Operand Constant(JsonValueKind kind, string text) => new(Path: null, new ComparedValue(kind, text));

    private string ReadNumber()
    {
        var start = _at;
        while (_at < _text.Length && (char.IsAsciiLetterOrDigit(_text[_at]) || _text[_at] is '.' || (_text[_at] is '-' or '+' && (_at == start || _text[_at - 1] is 'e' or 'E'))))
        {
            _at++;
        }

        var number = _text[start.._at];
        return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? number : throw ExpressionFault.At(_text, start, $"'{number}' is not a number.");
    }

    private bool TryWord(string word)
    {
        SkipSpaces();
        if (!IsHere(word))
        {
            return false;
        }

        _at += word.Length;
        return true;
    }

    // A word ends where a name would.
    private bool IsHere(string word) =>
        _text.AsSpan(_at).StartsWith(word, StringComparison.Ordinal)
        && (!char.IsAsciiLetter(word[0]) || _at + word.Length == _text.Length || !(MemberPath.IsNamePart(_text[_at + word.Length]) || _text[_at + word.Length] is '.' or '['));

    private void SkipSpaces()
    {
        while (_at < _text.Length && char.IsWhiteSpace(_text[_at]))
        {
            _at++;
        }
    }

    private ToolException Fault(string fault) => ExpressionFault.At(_text, _at, fault);
}
