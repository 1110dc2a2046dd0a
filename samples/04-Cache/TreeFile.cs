namespace BufferedMessages.Samples.Caching;

/// <summary>A file that can be looked up.</summary>
internal readonly record struct TreeFile(string Path, long Bytes, DateTime LastWrittenUtc);
