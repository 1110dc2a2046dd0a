using System.Text.Json;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BufferedMessages.Running;

namespace Toolkit.Benchmarks;

/// <summary>Writes the figures of a run as a small JSON file: what is committed under benchmarks/results.</summary>
public static class ResultFile
{
    // A benchmark without parameters has no column for them, and not all have sizes of serialized data.
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };

    /// <summary>Name of the file that the figures of a benchmark class belong to: that of the folder it lies in.</summary>
    public static string NameOf(Summary summary)
    {
        var folder = summary.BenchmarksCases[0].Descriptor.Type.Namespace!.Split('.')[2];
        return $"{folder.ToLowerInvariant()}.json";
    }

    /// <summary>Writes the file. Benchmarks are named <c>Operation_Library</c>; others are left out.</summary>
    /// <param name="path">The file, replaced if it exists.</param>
    /// <param name="command">What was run.</param>
    /// <param name="summaries">What BenchmarkDotNet measured.</param>
    public static void Write(string path, string command, IEnumerable<Summary> summaries)
    {
        var all = summaries.ToList();
        if (all.All(summary => summary.Reports.IsEmpty))
        {
            return;
        }

        var machine = all[0].HostEnvironmentInfo;
        Write(
            path,
            command,
            $"{machine.CpuInfo.Value.ProcessorName}, {Environment.ProcessorCount} cores, {machine.OsVersion.Value}, {machine.RuntimeVersion}",
            all.SelectMany(summary => summary.Reports).Where(static report => report.ResultStatistics is not null && report.BenchmarkCase.Descriptor.WorkloadMethod.Name.Contains('_', StringComparison.Ordinal)).Select(RowOf),
            sizes: null);
    }

    /// <summary>Writes the file.</summary>
    /// <param name="path">The file, replaced if it exists.</param>
    /// <param name="command">What was run.</param>
    /// <param name="machine">Where it was run.</param>
    /// <param name="rows">The figures.</param>
    /// <param name="sizes">Bytes of the serialized data, by scenario and library; null for benchmarks that serialize nothing.</param>
    internal static void Write(string path, string command, string machine, IEnumerable<ResultRow> rows, IReadOnlyDictionary<string, IReadOnlyDictionary<string, int>>? sizes)
    {
        var content = new { command, commit = Machine.Commit(), machine, results = rows.ToArray(), sizes };
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        File.WriteAllText(path, JsonSerializer.Serialize(content, Indented) + "\n");
    }

    private static ResultRow RowOf(BenchmarkReport report)
    {
        var target = report.BenchmarkCase.Descriptor;
        var name = target.WorkloadMethod.Name.Split('_');
        return new ResultRow
        {
            Scenario = target.Type.Name.Replace("Benchmarks", "", StringComparison.Ordinal),
            Operation = name[0],
            Library = name[1],
            Parameters = ParametersOf(report.BenchmarkCase),
            Nanoseconds = Math.Round(report.ResultStatistics!.Median, 1),
            AllocatedBytes = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0,
        };
    }

    private static Dictionary<string, object>? ParametersOf(BenchmarkCase benchmark) =>
        benchmark.HasParameters ? benchmark.Parameters.Items.ToDictionary(static parameter => parameter.Name, static parameter => parameter.Value is Enum name ? name.ToString() : parameter.Value, StringComparer.Ordinal) : null;
}
