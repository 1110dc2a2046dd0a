namespace BufferedMessages.Generator.Emission;

/// <summary>
/// The code for a wrong declaration: it throws. The analyzers report the mistake as an error that cannot be suppressed. Without analyzers the
/// program compiles, but never writes or reads a message with an undefined layout.
/// </summary>
internal static class Refusal
{
    /// <summary>Gets the expression that throws.</summary>
    /// <param name="error">The rule and the mistake. The text must need no escape.</param>
    public static string Of(string error) => $"throw new global::System.NotSupportedException(\"{error}\")";

    /// <summary>Gets the body of a constructor of a view or a writer, with its arrow or brace.</summary>
    /// <param name="error">The mistake; null if the declaration is right.</param>
    /// <param name="field">The field that it sets.</param>
    /// <param name="value">The field's value.</param>
    public static string OrSet(string? error, string field, string value) =>
        error is null ? $"=> {field} = {value};" : $"{{ {field} = default; {Of(error)}; }}";
}
