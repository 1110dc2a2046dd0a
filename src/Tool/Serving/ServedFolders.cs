using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>A queue or a cache that the page may show.</summary>
/// <param name="Target">The target.</param>
/// <param name="Name">Its path below its folder.</param>
internal sealed record ServedTarget(Target Target, string Name);

/// <summary>
/// The queues and caches below the folders that the user gave. A request names one of them; its path is compared with the list and opens nothing itself. Thread-safe.
/// </summary>
internal sealed class ServedFolders
{
    private const int Attempts = 3;

    // A search of a large tree takes long: it may take a tenth of the time.
    private const int PauseFactor = 10;
    private static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan PauseAfterMiss = TimeSpan.FromMilliseconds(500);

    private readonly Lock _lock = new();
    private IReadOnlyList<ServedTarget> _targets = [];
    private long _searchedAt;
    private TimeSpan _searchTime;

    private ServedFolders(IReadOnlyList<string> roots) => Roots = roots;

    /// <summary>Gets the full paths of the folders.</summary>
    public IReadOnlyList<string> Roots { get; }

    /// <summary>Takes folders, and queues in shared memory by their names.</summary>
    /// <exception cref="ToolException">One of them is missing.</exception>
    public static ServedFolders Of(string[] given) =>
        new([.. given.DefaultIfEmpty(".").Select(static path => Directory.Exists(path) ? FullPath(path) : TargetResolver.Find(path, TargetKind.Queue, TargetKind.Cache).Path).Distinct(StringComparer.Ordinal)]);

    /// <summary>Gets the queues and caches, and searches the folders again if that was some time ago.</summary>
    public IReadOnlyList<ServedTarget> List(CancellationToken token) => Search(Math.Max(ShortestPause.Ticks, _searchTime.Ticks * PauseFactor), token);

    /// <summary>Finds a target that a request names.</summary>
    /// <exception cref="RefusedException">The path is outside of the folders, or the target does not exist.</exception>
    public ServedTarget Find(string path, TargetKind kind, CancellationToken token)
    {
        if (!Path.IsPathFullyQualified(path) || !Roots.Any(root => IsBelow(FullPath(path), root)))
        {
            throw new RefusedException(RefusalKind.Forbidden, "The path is outside of the folders that this page shows.");
        }

        return Known(_targets) ?? Known(Search(Math.Max(PauseAfterMiss.Ticks, _searchTime.Ticks), token))
            ?? throw new RefusedException(RefusalKind.Missing, $"The {Target.WordOf(kind)} '{path}' does not exist.");

        ServedTarget? Known(IReadOnlyList<ServedTarget> targets) =>
            targets.FirstOrDefault(target => target.Target.Kind == kind && string.Equals(target.Target.Path, path, StringComparison.Ordinal)) is { } found && Directory.Exists(path) ? found : null;
    }

    private IReadOnlyList<ServedTarget> Search(long pauseTicks, CancellationToken token)
    {
        lock (_lock)
        {
            if (_searchedAt == 0 || Stopwatch.GetElapsedTime(_searchedAt).Ticks >= pauseTicks)
            {
                var start = Stopwatch.GetTimestamp();
                _targets = [.. Roots.SelectMany(root => SearchIn(root, token)).DistinctBy(static target => target.Target.Path, StringComparer.Ordinal)];
                _searchTime = Stopwatch.GetElapsedTime(start);
                _searchedAt = Stopwatch.GetTimestamp();
            }

            return _targets;
        }
    }

    // A folder may be deleted while it is searched. If that goes on, the targets of the last search stay.
    private IEnumerable<ServedTarget> SearchIn(string root, CancellationToken token)
    {
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            try
            {
                return
                [
                    .. from target in TargetListing.In(root, isRecursive: true, token)
                       where target.Kind != TargetKind.Message && !LeadsOutside(target.Path)
                       select new ServedTarget(target, NameOf(target.Path, root)),
                ];
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                if (!Directory.Exists(root))
                {
                    return [];
                }
            }
        }

        return _targets.Where(target => IsBelow(target.Target.Path, root));
    }

    // A link that the user gave is one of the folders.
    private bool LeadsOutside(string path) =>
        !Roots.Contains(path, StringComparer.Ordinal)
        && new DirectoryInfo(path) is { LinkTarget: not null } link && !(link.ResolveLinkTarget(returnFinalTarget: true) is { } end && Roots.Any(root => IsBelow(end.FullName, root)));

    private string NameOf(string path, string root)
    {
        var name = Path.GetRelativePath(root, path);
        var folder = Path.GetFileName(root);
        return name is "." ? folder : Roots.Count == 1 ? name : Path.Combine(folder, name);
    }

    private static string FullPath(string path) => Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));

    private static bool IsBelow(string path, string root) =>
        string.Equals(path, root, StringComparison.Ordinal) || path.StartsWith(Path.EndsInDirectorySeparator(root) ? root : root + Path.DirectorySeparatorChar, StringComparison.Ordinal);
}
