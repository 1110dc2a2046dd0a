namespace BufferedMessages.Caching;

/// <summary>The result of an inspection of a cache.</summary>
/// <param name="Findings">Everything that was found.</param>
/// <param name="Segments">Segments that were walked over.</param>
/// <param name="Records">Records that are whole.</param>
/// <param name="ValueBytes">Bytes of their values.</param>
internal sealed record CacheInspectionReport(IReadOnlyList<CacheFinding> Findings, int Segments, long Records, long ValueBytes);
