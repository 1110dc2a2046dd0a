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
            var results = RunMessages();
            results.AddRange(RunStreams());
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

    private List<ColdResult> RunMessages()
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
            var floor = Measure(["empty"], figures: 0)[0];
            foreach (var (_, role, mode, isNew, rounds) in programs)
            {
                var queue = PrepareQueue(mode, isNew);
                var figures = Measure([role, queue], figures: 3);
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
            new("one message", "empty program") { Milliseconds = Median(empty) },
            .. programs.Select(program => new ColdResult("one message", program.Name)
            {
                Milliseconds = Median(program.Rounds, 0),
                AboveEmptyMilliseconds = Median(program.Rounds, 1),
                OpenMilliseconds = Median(program.Rounds, 2),
                JoinMilliseconds = Median(program.Rounds, 3),
                FirstMessageMilliseconds = Median(program.Rounds, 4),
            }),
        ];
        Console.WriteLine($"{"ms",-44}{"whole",10}{"above",10}{"open",10}{"join",10}{"message",10}");
        foreach (var result in results)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{result.Name,-44}{result.Milliseconds,10:0.0}{result.AboveEmptyMilliseconds,10:0.0}{result.OpenMilliseconds,10:0.0}{result.JoinMilliseconds,10:0.0}{result.FirstMessageMilliseconds,10:0.0}"));
        }

        return results;
    }

    private List<ColdResult> RunStreams()
    {
        var figures = new List<double[]>();
        for (var round = 0; round < Math.Min(options.Rounds, StreamRounds); round++)
        {
            var queue = PrepareQueue(QueueMode.Bounded, isNew: true);
            using var reader = Start(["read-stream", queue]);
            reader.StandardOutput.ReadLine();
            using var writer = Start(["write-stream", queue]);
            figures.Add([.. writer.StandardOutput.ReadLine()!.Split(' ').Select(figure => double.Parse(figure, CultureInfo.InvariantCulture))]);
            Await(writer);
            Await(reader);
            Directory.Delete(queue, recursive: true);
        }

        List<ColdResult> results =
        [
            new("stream", "steady") { MessagesPerSecond = Median(figures, 1) },
            new("stream", "first 200 ms")
            {
                MessagesPerSecond = Median(figures, 0),
                Ratios = new Dictionary<string, double>(StringComparer.Ordinal) { ["of steady"] = Median(figures.Select(figure => figure[0] / figure[1])) },
            },
        ];
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"stream: steady {results[0].MessagesPerSecond:N0} a second, first 200 ms {results[1].MessagesPerSecond:N0}, of steady {results[1].Ratios!["of steady"]:0.00}"));
        return results;
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
    private double[] Measure(string[] arguments, int figures)
    {
        var start = Stopwatch.GetTimestamp();
        using var process = Start(arguments);
        Await(process);
        var elapsed = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        var bytes = new byte[figures * sizeof(long)];
        process.StandardOutput.BaseStream.ReadExactly(bytes);
        return [elapsed, .. Enumerable.Range(0, figures).Select(i => BitConverter.ToInt64(bytes, i * sizeof(long)) * 1000.0 / Stopwatch.Frequency)];
    }

    private Process Start(string[] arguments)
    {
        var program = options.Program ?? Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return Process.Start(new ProcessStartInfo(program, isHost ? [Path.Combine(AppContext.BaseDirectory, "Toolkit.Cold.dll"), .. arguments] : arguments)
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
            throw new InvalidOperationException("A program of the run has failed; its error stands above.");
        }
    }

    private static double Median(List<double[]> rounds, int figure) => Median(rounds.Select(round => round[figure]));

    private static double Median(IEnumerable<double> figures)
    {
        var sorted = figures.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
