namespace BufferedMessages.Caching;

/// <summary>
/// The exception for a file of a cache that is missing or damaged, and without which the cache cannot work. A damaged entry throws nothing: reading it counts as a miss.
/// </summary>
public sealed class CacheCorruptedException : Exception
{
    private CacheCorruptedException(string file, string fault, string text)
        : base(text)
    {
        File = file;
        Fault = fault;
    }

    /// <summary>Gets the path of the file.</summary>
    public string File { get; }

    /// <summary>The fault, as a clause.</summary>
    internal string Fault { get; }

    internal static CacheCorruptedException OfControl(string file, string fault) => new(
        file, fault, $"'{file}' is not the control file of a cache: {fault}. If the directory is a cache's, delete it and let it be filled again; otherwise use another one.");

    internal static CacheCorruptedException OfIndex(string file, string fault) => new(
        file, fault, $"'{file}' cannot be read as the index of its cache: {fault}. Open the cache with MessageCache.Open, which rebuilds the index from the segments, and then read again.");

    internal static CacheCorruptedException OfLoss(string file, string fault) => new(
        file, fault, $"'{file}' is not the control file of this cache any more: {fault}. Close the cache and open it again; what it holds is lost.");

    internal static CacheCorruptedException OfLostWriter(string file) => new(
        file, "it is not the lease of this process", $"'{file}' was deleted or replaced while the cache was open, so another process may write to the cache too. Close it in all processes and open it again.");

    internal static CacheCorruptedException OfLeases(string file, string fault) => new(
        file, fault, $"'{file}' does not hold the leases of a process that reads: {fault}. Close the cache in all processes and delete the file.");
}
