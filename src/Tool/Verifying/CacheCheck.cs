using System.Diagnostics;
using BufferedMessages.Caching;
using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>The verification of a cache. Every record has a checksum, and all are compared.</summary>
internal static class CacheCheck
{
    /// <summary>Inspects a cache, and writes the results.</summary>
    public static ExitCode Verify(Call call, string path)
    {
        var start = Stopwatch.GetTimestamp();
        var report = CacheInspection.Run(path, found: null, call.Token);
        var findings = report.Findings.Select(static finding => new Finding(KindOf(finding.Kind), finding.File, finding.Offset, finding.Rule));
        return FindingOutput.Write(call, new InspectionReport([.. findings], report.Segments, report.Records, report.ValueBytes, 0, 0, 0), Stopwatch.GetElapsedTime(start));
    }

    private static FindingKind KindOf(CacheFindingKind kind) =>
        kind switch { CacheFindingKind.Damage => FindingKind.Damage, CacheFindingKind.Unknown => FindingKind.Unknown, _ => FindingKind.Orphan };
}
