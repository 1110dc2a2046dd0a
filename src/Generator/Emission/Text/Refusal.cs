namespace BufferedMessages.Generator.Emission;

/// <summary>
/// What code for a wrong declaration does: it throws. The analyzers report the mistake as an error that cannot be suppressed. Without analyzers the
/// program compiles, but never writes or reads a message whose layout is not defined.
/// </summary>
internal static class Refusal
{
    /// <summary>The expression that throws.</summary>
    /// <param name="error">The rule and what is wrong, in words and names: nothing in it needs an escape.</param>
    public static string Of(string error) => $"throw new global::System.NotSupportedException(\"{error}\")";

    /// <summary>The body of a constructor of a view or a writer, from the sign after its parameters on.</summary>
    /// <param name="error">What is wrong; null if the declaration is right.</param>
    /// <param name="field">The field that it sets.</param>
    /// <param name="value">What it sets the field to.</param>
    public static string OrSet(string? error, string field, string value) =>
        error is null ? $"=> {field} = {value};" : $"{{ {field} = default; {Of(error)}; }}";
}
