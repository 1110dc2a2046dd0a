namespace BufferedMessages.Caching;

/// <summary>A result of an inspection of a cache.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="File">The file.</param>
/// <param name="Offset">The offset in the file; null for the file as a whole.</param>
/// <param name="Rule">The rule that is broken, or the state of the file.</param>
internal sealed record CacheFinding(CacheFindingKind Kind, string File, long? Offset, string Rule);

/// <summary>The kinds of results of an inspection.</summary>
internal enum CacheFindingKind
{
    /// <summary>A rule of the format is broken. Entries are lost, or reads fail.</summary>
    Damage,

    /// <summary>A newer program wrote it: this one cannot tell whether it is sound.</summary>
    Unknown,

    /// <summary>A file that no part of the cache uses.</summary>
    Orphan,
}
