using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>Finds targets that may be too damaged to be recognized by their first bytes.</summary>
internal static class DamagedTarget
{
    /// <summary>Finds a target of one of some kinds.</summary>
    /// <exception cref="ToolException">There is none; the message lists those near it.</exception>
    public static Target Find(string given, params TargetKind[] kinds)
    {
        var path = given.Length == 0 ? "" : Path.TrimEndingDirectorySeparator(Path.GetFullPath(given));
        return Directory.Exists(path) && Recognition.Find(path) is null && KindOf(path) is { } kind && kinds.Contains(kind)
            ? new Target(kind, path)
            : TargetResolver.Find(given, kinds);
    }

    private static TargetKind? KindOf(string folder) =>
        Has(folder, "cache") && (Has(folder, "index.*") || Has(folder, "writer.lease")) ? TargetKind.Cache
        : Has(folder, ControlMap.FileName) || Has(folder, RingSegments.FileName) || Has(folder, new string('?', 20) + SegmentFileName.Extension) ? TargetKind.Queue
        : null;

    private static bool Has(string folder, string pattern) => Directory.EnumerateFiles(folder, pattern).Any();
}
