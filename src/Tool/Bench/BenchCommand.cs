using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>Measures a queue on this machine, in a folder of the user's choice.</summary>
internal static class BenchCommand
{
    private const int Rounds = 3;
    private const int DefaultBytes = 100;

    public static Command Create()
    {
        var folder = new Argument<string>("FOLDER") { Description = "A folder on the disk to measure, or /dev/shm. The queue is made in it, and deleted at the end." };
        var bytes = new Option<int>("--bytes") { Description = $"Bytes of a message; {DefaultBytes} by default.", HelpName = "N", DefaultValueFactory = static _ => DefaultBytes, CustomParser = ParseBytes };
        var span = Durations.Option("--time", $"The time of each of the {Rounds} rounds; 1s by default.");
        var single = new Option<bool>("--single") { Description = "Make the queue for one producer, which publishes faster." };
        var flush = new Option<FlushMode>("--flush") { Description = "When the queue is written to the disk: None, Interval or EveryMessage.", HelpName = "MODE", CustomParser = ParseFlush };
        var command = new ToolCommand(
            "bench",
            "Measure one producer and one consumer, two threads of this process, on a queue of bytes. Prints the median of three rounds, and the slowest and the fastest.",
            "bench /var/lib/shop",
            "bench /var/lib/shop --bytes 1000 --flush EveryMessage --json") { folder, bytes, span, single, flush };
        command.Run(call => Measure(call, call.Value(folder), call.Value(bytes), call.Value(span) ?? Durations.Second, call.Value(single), call.Value(flush)));
        return command;
    }

    private static int ParseBytes(ArgumentResult result)
    {
        var text = result.Tokens is [var token] ? token.Value : "";
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes) || bytes > BenchRound.MaxBytes)
        {
            result.AddError($"A message of the bench has 0 to {BenchRound.MaxBytes} bytes, not '{text}'.");
        }

        return bytes;
    }

    private static FlushMode ParseFlush(ArgumentResult result)
    {
        var text = result.Tokens is [var token] ? token.Value : "";

        // The parser also takes numbers, and several names with commas between them.
        if (!Enum.TryParse<FlushMode>(text, ignoreCase: true, out var mode) || !string.Equals(Enum.GetName(mode), text, StringComparison.OrdinalIgnoreCase))
        {
            result.AddError($"'{text}' is not a flush mode. Write None, Interval or EveryMessage.");
        }

        return mode;
    }

    private static ExitCode Measure(Call call, string folder, int bytes, TimeSpan span, bool isSingle, FlushMode flush)
    {
        if (!Directory.Exists(folder))
        {
            throw new ToolException($"The directory '{folder}' does not exist.");
        }

        var path = Path.Combine(Path.GetFullPath(folder), string.Create(CultureInfo.InvariantCulture, $"bufferedmessages-bench-{Environment.ProcessId}-{Guid.NewGuid():n}"));
        var options = new MessageQueueOptions
        {
            Producers = isSingle ? ProducerMode.Single : ProducerMode.Multiple,
            Flush = flush,
            Retention = new QueueRetention { DeleteRead = true, HardLimitBytes = BenchRound.HardLimitBytes },
        };
        try
        {
            var rates = new List<double>();
            for (var round = 0; round < Rounds; round++)
            {
                rates.Add(BenchRound.Run(path, options, bytes, span, call.Token));
                call.Token.ThrowIfCancellationRequested();
            }

            rates.Sort();
            Report(call, bytes, rates, options);
            return ExitCode.Fine;
        }
        finally
        {
            MessageQueue.Delete(path);
            if (Directory.Exists(path))
            {
                Directory.Delete(path, recursive: true);
            }
        }
    }

    private static void Report(Call call, int bytes, List<double> rates, MessageQueueOptions options)
    {
        var median = rates[rates.Count / 2];
        if (call.IsJson)
        {
            call.Json.Write((bytes, rates, median, options), static (json, bench) =>
            {
                json.WriteStartObject();
                json.WriteNumber("messageBytes"u8, bench.bytes);
                json.WriteString("producerMode"u8, bench.options.Producers == ProducerMode.Single ? "single"u8 : "multiple"u8);
                json.WriteString("flush"u8, bench.options.Flush.ToString());
                json.WriteNumber("messagesPerSecond"u8, Math.Round(bench.median));
                json.WriteNumber("slowestRound"u8, Math.Round(bench.rates[0]));
                json.WriteNumber("fastestRound"u8, Math.Round(bench.rates[^1]));
                json.WriteEndObject();
            });
            return;
        }

        call.WriteLine($"{Quantity.Rate(median)} messages/s of {Quantity.Count(bytes, "byte")}, {Quantity.Bytes(median * bytes)}/s; rounds from {Quantity.Rate(rates[0])} to {Quantity.Rate(rates[^1])}");
        call.WriteLine($"One producer and one consumer, threads of one process on {Environment.ProcessorCount} processors; durable queue for {(options.Producers == ProducerMode.Single ? "one producer" : "many producers")}, flush {options.Flush}.");
    }
}
