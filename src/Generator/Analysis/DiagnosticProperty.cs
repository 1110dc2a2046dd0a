namespace BufferedMessages.Generator.Analysis;

/// <summary>What diagnostics tell the code fixes beside their place.</summary>
internal static class DiagnosticProperty
{
    /// <summary>The documentation id of the source type that breaks the rule.</summary>
    public const string Source = nameof(Source);

    /// <summary>The lines of a type's schema text.</summary>
    public const string Layout = nameof(Layout);

    /// <summary>The ordinal of a member, or the number of a case, that was removed.</summary>
    public const string Ordinal = nameof(Ordinal);

    /// <summary>Its kind; null for a case.</summary>
    public const string Kind = nameof(Kind);
}
