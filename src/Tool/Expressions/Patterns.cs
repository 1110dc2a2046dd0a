using System.Text.RegularExpressions;

namespace BufferedMessages.Tool;

/// <summary>Regular expressions of the command line.</summary>
internal static class Patterns
{
    /// <summary>Parses one. It matches letters of either case, and without backtracking: no text can make the search slow.</summary>
    /// <exception cref="ToolException">It is wrong, or needs backtracking.</exception>
    public static Regex Parse(string pattern)
    {
        try
        {
            return new Regex(pattern, RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking);
        }
        catch (RegexParseException exception)
        {
            throw ExpressionFault.At(pattern, Math.Clamp(exception.Offset, 0, pattern.Length), $"The regular expression is wrong: {exception.Error}.");
        }
        catch (NotSupportedException exception)
        {
            throw new ToolException($"The regular expression '{pattern}' is not supported: {exception.Message}");
        }
    }
}
