using System.Runtime.CompilerServices;

namespace BufferedMessages.CrossProcess;

/// <summary>Compares fields of an object with those of a view, and counts them.</summary>
internal abstract class FieldComparison
{
    /// <summary>Number of fields that are equal.</summary>
    public int Fields { get; private set; }

    protected bool IsNull<T>(T? expected, bool actual, [CallerArgumentExpression(nameof(actual))] string what = "")
    {
        Value(expected is null, actual, what);
        return actual;
    }

    protected void Text(string? expected, BufferedString actual, [CallerArgumentExpression(nameof(actual))] string what = "") =>
        Value(expected, actual.IsNull ? null : actual.ToString(), what);

    protected void Value<T>(T expected, T actual, [CallerArgumentExpression(nameof(actual))] string what = "")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidDataException($"{what} is '{actual}', not '{expected}'.");
        }

        Fields++;
    }
}
