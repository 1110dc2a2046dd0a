using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The names of a cache's files.</summary>
internal static class CacheFiles
{
    /// <summary>The suffix of a file that is being created, after a dot.</summary>
    public const string UnfinishedSuffix = "creating";

    private const string IndexPrefix = "index.";
    private const string LeasesSuffix = ".pins";

    public static string Control(string directory) => Path.Combine(directory, "cache");

    public static string WriterLease(string directory) => Path.Combine(directory, "writer.lease");

    /// <summary>Gets the file that records when tags were removed. It exists from the first entry with tags on.</summary>
    public static string Tags(string directory) => Path.Combine(directory, "tags");

    /// <summary>Gets the file of the chunks that are not in their segments yet.</summary>
    public static string Staged(string directory) => Path.Combine(directory, "staged");

    /// <summary>Gets the folder of the files by which processes share the cache.</summary>
    public static string Sharing(string directory) => Path.Combine(directory, "sharing");

    /// <summary>Gets the file that names the queue of the owner. It exists while the cache is shared.</summary>
    public static string Owner(string directory) => Path.Combine(Sharing(directory), "owner");

    public static string Index(string directory, long generation) => Path.Combine(directory, IndexPrefix + generation.ToString(CultureInfo.InvariantCulture));

    /// <summary>Finds the index files, of all generations.</summary>
    public static IEnumerable<string> Indexes(string directory) => Directory.EnumerateFiles(directory, IndexPrefix + "*");

    public static string Segment(string directory, int slot) => Path.Combine(directory, slot.ToString("D4", CultureInfo.InvariantCulture) + ".segment");

    public static string ReaderLeases(string directory, int reader) => Path.Combine(directory, Reader(reader) + LeasesSuffix);

    public static string ReaderLease(string directory, int reader) => Path.Combine(directory, Reader(reader) + ".lease");

    public static string Schema(string directory, ulong fingerprint) => Path.Combine(directory, fingerprint.ToString("X16", CultureInfo.InvariantCulture) + ".schema");

    /// <summary>Gets the highest number of an index file; 0 when there is none.</summary>
    public static long LastIndex(string directory) => Indexes(directory)
        .Select(static path =>
            long.TryParse(Path.GetFileName(path.AsSpan())[IndexPrefix.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var generation) && generation <= ControlHeader.MaxGeneration
                ? generation
                : 0)
        .DefaultIfEmpty()
        .Max();

    /// <summary>Gets the permissions of the files of a cache; null when there is none, or when a pipe is in its place: opening that would wait for a writer.</summary>
    public static FilePermissions? PermissionsOf(string directory) => MappedFile.LengthOf(Control(directory)) > 0 ? FilePermissions.Of(Control(directory)) : null;

    /// <summary>Refuses to take part in a cache that another user may have put there.</summary>
    /// <exception cref="UnauthorizedAccessException">It is refused.</exception>
    public static void RefuseForeign(string directory, FilePermissions asked) => ForeignFolder.Refuse($"The cache in '{directory}'", Control(directory), asked);

    /// <summary>
    /// Deletes index files of other generations, and files that a dead process left unfinished. A process that only reads may be making the file of its leases now; the next process that has its number
    /// replaces what it leaves.
    /// </summary>
    public static void DeleteLeftovers(string directory, long generation)
    {
        var current = Index(directory, generation);
        var unfinished = Directory.EnumerateFiles(directory, "*." + UnfinishedSuffix).Where(static path => !path.EndsWith($"{LeasesSuffix}.{UnfinishedSuffix}", StringComparison.Ordinal));
        foreach (var path in Indexes(directory).Where(path => path != current).Concat(unfinished))
        {
            TryDelete(path);
        }
    }

    /// <summary>Deletes a file, unless the system refuses because a process has it open.</summary>
    public static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
        }
    }

    private static string Reader(int reader) => "reader-" + reader.ToString("D2", CultureInfo.InvariantCulture);
}
