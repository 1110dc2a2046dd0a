namespace BufferedMessages.Generator.Analysis;

/// <summary>The properties by which diagnostics pass data to code fixes.</summary>
internal static class DiagnosticProperty
{
    /// <summary>The documentation id of the source type that breaks the rule.</summary>
    public const string Source = nameof(Source);

    /// <summary>The lines of a type's schema text.</summary>
    public const string Layout = nameof(Layout);

    /// <summary>The ordinal of a removed member, or the number of a removed case.</summary>
    public const string Ordinal = nameof(Ordinal);

    /// <summary>The kind of the removed member; null for a case.</summary>
    public const string Kind = nameof(Kind);
}
