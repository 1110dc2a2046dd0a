using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Attributes;
using BufferedMessages.Running;
using Toolkit.Benchmarks.Messages;
using Toolkit.Benchmarks.Messages.Container;
using Toolkit.Benchmarks.Messages.Documents;
using Toolkit.Benchmarks.Messages.Entities;
using Toolkit.Benchmarks.Messages.Orders;
using Toolkit.Benchmarks.Messages.People;
using Toolkit.Benchmarks.Messages.Records;
using Toolkit.Benchmarks.Messages.Tables;

namespace Toolkit.Benchmarks.Turns;

/// <summary>
/// Measures the messages in turns: all operations of a scenario in one process, and each scenario in three processes, of which the medians count. The places of code and data in memory
/// differ between processes, and with them the times.
/// </summary>
internal static class MessageTurns
{
    /// <summary>The name of the file of the figures.</summary>
    public const string FileName = "messages.json";

    private const int Processes = 3;

    private static readonly IReadOnlyDictionary<string, Func<IMessageBenchmarks>> Scenarios = new Dictionary<string, Func<IMessageBenchmarks>>(StringComparer.Ordinal)
    {
        ["Container"] = static () => new ContainerBenchmarks(),
        ["Order"] = static () => new OrderBenchmarks(),
        ["Person"] = static () => new PersonBenchmarks(),
        ["Entity"] = static () => new EntityBenchmarks(),
        ["Record"] = static () => new RecordBenchmarks(),
        ["Table"] = static () => new TableBenchmarks(),
        ["AccessLog"] = static () => new AccessLogBenchmarks(),
        ["Catalogue"] = static () => new CatalogueBenchmarks(),
    };

    /// <summary>Gets the names of the scenarios.</summary>
    public static IEnumerable<string> Names => Scenarios.Keys;

    /// <summary>Measures all scenarios in processes of their own.</summary>
    /// <param name="results">The directory of the file; null if the figures are only printed.</param>
    /// <param name="command">The command line of this run.</param>
    /// <returns>The exit code.</returns>
    public static int RunAll(string? results, string command)
    {
        var runs = new List<(string Scenario, string Operation, string Library, OperationFigure Figure)>();
        for (var round = 0; round < Processes; round++)
        {
            foreach (var scenario in Names)
            {
                Console.WriteLine($"{scenario}, process {round + 1} of {Processes}");
                runs.AddRange(RunInProcess(scenario));
            }
        }

        List<ResultRow> rows = [.. runs.GroupBy(static run => (run.Scenario, run.Operation, run.Library)).Select(static group => RowOf(group.Key, [.. group.Select(static run => run.Figure)]))];
        rows.ForEach(static row => Console.WriteLine($"{row.Scenario,-10} {row.Operation,-14} {row.Library,-18} {row.Nanoseconds,14:N1} ns {row.AllocatedBytes,12:N0} B"));
        if (results is not null)
        {
            ResultFile.Write(Path.Combine(results, FileName), command, Machine.Name(), rows, Scenarios.ToDictionary(static scenario => scenario.Key, static scenario => SizesOf(scenario.Value), StringComparer.Ordinal));
        }

        return 0;
    }

    /// <summary>Measures a scenario in this process, and prints its figures.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(string scenario)
    {
        using var benchmarks = Scenarios[scenario]();
        benchmarks.Setup();
        MethodInfo[] methods = [.. benchmarks.GetType().GetMethods().Where(static method => method.GetCustomAttribute<BenchmarkAttribute>() is not null)];
        var figures = OperationTurns.Run([.. methods.Select(method => RepeatedOperation.Of(benchmarks, method))], CancellationToken.None);
        foreach (var (method, figure) in methods.Zip(figures))
        {
            var name = method.Name.Split('_');
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name[0]} {name[1]} {figure.Nanoseconds:F2} {figure.AllocatedBytes:F2}"));
        }

        return 0;
    }

    private static List<(string Scenario, string Operation, string Library, OperationFigure Figure)> RunInProcess(string scenario)
    {
        var program = Environment.ProcessPath!;
        string[] host = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [typeof(MessageTurns).Assembly.Location] : [];
        using var process = Process.Start(new ProcessStartInfo(program, [.. host, "--turns", scenario]) { RedirectStandardOutput = true, UseShellExecute = false })!;
        var lines = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();
        return process.ExitCode == 0
            ? [.. lines.Select(static line => line.Split(' ')).Select(words => (scenario, words[0], words[1], new OperationFigure(Number(words[2]), Number(words[3]))))]
            : throw new InvalidOperationException($"The process that measures {scenario} ended with exit code {process.ExitCode}.");
    }

    private static ResultRow RowOf((string Scenario, string Operation, string Library) name, IReadOnlyCollection<OperationFigure> figures)
    {
        var figure = OperationFigure.MedianOf(figures);
        return new ResultRow
        {
            Scenario = name.Scenario,
            Operation = name.Operation,
            Library = name.Library,
            Nanoseconds = Math.Round(figure.Nanoseconds, 1),
            AllocatedBytes = (long)Math.Round(figure.AllocatedBytes),
        };
    }

    private static IReadOnlyDictionary<string, int> SizesOf(Func<IMessageBenchmarks> scenario)
    {
        using var benchmarks = scenario();
        benchmarks.Setup();
        return benchmarks.Sizes();
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
