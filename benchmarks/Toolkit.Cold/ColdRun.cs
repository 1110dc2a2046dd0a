using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using BufferedMessages.Running;
using BufferedMessages.Sessions;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>Runs the programs in turns, and shows the medians.</summary>
internal sealed class ColdRun(ColdOptions options)
{
    private const string Memory = "/dev/shm";
    private const int StreamRounds = 5;

    private readonly string _directory = Directory.CreateDirectory(
        Path.Combine(Directory.Exists(Memory) ? Memory : Path.GetTempPath(), $"toolkit-cold-{Environment.ProcessId}")).FullName;

    private int _number;

    public void Run(string command)
    {
        try
        {
            List<Way> ways = options.Ways is null ? [new Way("this build", Environment.ProcessPath!)] : Way.In(options.Ways);
            List<ColdResult> results = [.. ways.SelectMany(RunMessages), .. RunStreams(ways)];
            if (options.JsonFile is not null)
            {
                var file = new ColdFile(command, Machine.Commit(), Machine.Name(), options.Rounds, results);
                File.WriteAllText(options.JsonFile, JsonSerializer.Serialize(file, ColdJson.Default.ColdFile) + "\n");
            }
        }
        finally
        {
            Directory.Delete(_directory, recursive: true);
        }
    }

    private List<ColdResult> RunMessages(Way way)
    {
        var empty = new List<double>();
        (string Name, string Role, QueueMode Mode, bool IsNew, List<double[]> Rounds)[] programs =
        [
            ("publish to a queue that exists", "publish", QueueMode.Durable, false, []),
            ("publish to a bounded queue that exists", "publish", QueueMode.Bounded, false, []),
            ("publish to a new queue", "publish", QueueMode.Durable, true, []),
            ("read", "read", QueueMode.Durable, false, []),
            ("read from a bounded queue", "read", QueueMode.Bounded, false, []),
        ];

        // The first round is not counted: files come into the page cache.
        for (var round = 0; round <= options.Rounds; round++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            var floor = Measure(way, ["empty"], figures: 0)[0];
            foreach (var (_, role, mode, isNew, rounds) in programs)
            {
                var queue = PrepareQueue(mode, isNew);
                var figures = Measure(way, [role, queue], figures: 3);
                Directory.Delete(queue, recursive: true);
                if (round != 0)
                {
                    rounds.Add([figures[0], figures[0] - floor, .. figures[1..]]);
                }
            }

            if (round != 0)
            {
                empty.Add(floor);
            }
        }

        List<ColdResult> results =
        [
            new(way.Name, "empty program") { Milliseconds = Medians.Of(empty) },
            .. programs.Select(program => new ColdResult(way.Name, program.Name)
            {
                Milliseconds = Median(program.Rounds, 0),
                AboveEmptyMilliseconds = Median(program.Rounds, 1),
                OpenMilliseconds = Median(program.Rounds, 2),
                JoinMilliseconds = Median(program.Rounds, 3),
                FirstMessageMilliseconds = Median(program.Rounds, 4),
            }),
        ];
        Console.WriteLine($"{way.Name + ", ms",-44}{"whole",10}{"above",10}{"open",10}{"join",10}{"message",10}");
        foreach (var result in results)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{result.Name,-44}{result.Milliseconds,10:0.0}{result.AboveEmptyMilliseconds,10:0.0}{result.OpenMilliseconds,10:0.0}{result.JoinMilliseconds,10:0.0}{result.FirstMessageMilliseconds,10:0.0}"));
        }

        return results;
    }

    private List<ColdResult> RunStreams(List<Way> ways)
    {
        var rounds = ways.ConvertAll(_ => new List<double[]>());
        for (var round = 0; round < Math.Min(options.Rounds, StreamRounds); round++)
        {
            for (var way = 0; way < ways.Count; way++)
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                rounds[way].Add(RunStream(ways[way]));
            }
        }

        var results = ways.Select((way, number) => new ColdResult("stream", way.Name)
        {
            MessagesPerSecond = Median(rounds[number], 2),
            Ratios = new Dictionary<string, double>(StringComparer.Ordinal)
            {
                ["first 200 ms of it"] = Medians.Of(rounds[number].Select(figure => figure[0] / figure[2])),
                ["first million of it"] = Medians.Of(rounds[number].Select(figure => figure[1] / figure[2])),
            },
        }).ToList();
        foreach (var result in results)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"stream, {result.Name,-36}steady {result.MessagesPerSecond,12:N0} a second{string.Concat(result.Ratios!.Select(ratio => FormattableString.Invariant($", {ratio.Key} {ratio.Value:0.00}")))}"));
        }

        return results;
    }

    private double[] RunStream(Way way)
    {
        var queue = PrepareQueue(QueueMode.Bounded, isNew: true);
        using var reader = Start(way, ["read-stream", queue]);
        reader.StandardOutput.ReadLine();
        using var writer = Start(way, ["write-stream", queue]);
        try
        {
            var line = writer.StandardOutput.ReadLineAsync();
            Task[] ends = [line, reader.WaitForExitAsync()];
            if (Task.WaitAny(ends) != 0)
            {
                Await(reader);
            }

            Await(writer);
            Await(reader);
            Directory.Delete(queue, recursive: true);
            return [.. line.Result!.Split(' ').Select(figure => double.Parse(figure, CultureInfo.InvariantCulture))];
        }
        catch
        {
            // The one that has not failed waits for messages of the other one, or for room.
            reader.Kill();
            writer.Kill();
            throw;
        }
    }

    // Where a message lies; or, if it is to be new, only its options are fixed.
    private string PrepareQueue(QueueMode mode, bool isNew)
    {
        var path = Path.Combine(_directory, _number++.ToString(CultureInfo.InvariantCulture));
        if (isNew && mode == QueueMode.Durable)
        {
            Directory.CreateDirectory(path);
            return path;
        }

        using var queue = MessageQueue.Open(path, new() { Mode = mode });
        if (!isNew)
        {
            using var producer = queue.OpenProducer<Trade>();
            producer.Publish(Trade.Create());
        }

        return path;
    }

    // Milliseconds, then what the program says.
    private static double[] Measure(Way way, string[] arguments, int figures)
    {
        var start = Stopwatch.GetTimestamp();
        using var process = Start(way, arguments);
        Await(process);
        var elapsed = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        var bytes = new byte[figures * sizeof(long)];
        process.StandardOutput.BaseStream.ReadExactly(bytes);
        return [elapsed, .. Enumerable.Range(0, figures).Select(i => BitConverter.ToInt64(bytes, i * sizeof(long)) * 1000.0 / Stopwatch.Frequency)];
    }

    private static Process Start(Way way, string[] arguments)
    {
        var isHost = Path.GetFileNameWithoutExtension(way.Program) == "dotnet";
        return Process.Start(new ProcessStartInfo(way.Program, isHost ? [Path.Combine(AppContext.BaseDirectory, "Toolkit.Cold.dll"), .. arguments] : arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        })!;
    }

    private static void Await(Process process)
    {
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException("A program of the run has failed; its error is printed above.");
        }
    }

    private static double Median(List<double[]> rounds, int figure) => Medians.Of(rounds.Select(round => round[figure]));
}
