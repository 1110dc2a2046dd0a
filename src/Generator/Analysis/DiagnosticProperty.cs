namespace BufferedMessages.Generator.Analysis;

/// <summary>What diagnostics tell the code fixes beside their place.</summary>
internal static class DiagnosticProperty
{
    /// <summary>The documentation id of the source type that breaks the rule.</summary>
    public const string Source = nameof(Source);

    /// <summary>The full name of a source type, as in the schema text.</summary>
    public const string Type = nameof(Type);

    /// <summary>The lines of its schema text, joined by line feeds.</summary>
    public const string Lines = nameof(Lines);

    /// <summary>The ordinal of a member that was removed.</summary>
    public const string Ordinal = nameof(Ordinal);

    /// <summary>Its kind.</summary>
    public const string Kind = nameof(Kind);
}
