using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>
/// An order of 20 members is an object in one process, and one or all of its members are read in another: each format over each transport,
/// all of them in turns, so that a round compares. The time runs from the first object to the last field.
/// </summary>
internal static class TypedSession
{
    /// <inheritdoc cref="ThroughputSession.BatchMessages"/>
    public const int BatchMessages = 500;

    private const int FirstMessages = 2_000;
    private const int LongestRound = 2_000_000;
    private static readonly TimeSpan RoundTime = TimeSpan.FromMilliseconds(100);

    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var reader = PeerProcess.Start(TypedReader.Role, options);
        using var writer = PeerProcess.Start(TypedWriter.Role, options);
        var ways = Ways();
        var rounds = new Rounds(options, writer, reader);
        ways.ForEach(way => way.Messages = options.Messages ?? rounds.Warm(way, options.Warmup / ways.Count));
        for (var round = 1; round <= options.Rounds; round++)
        {
            ways.ForEach(way => way.Parts.Add(rounds.Run(way)));
            Report.Progress($"round {round} of {options.Rounds}: {ways[0].Parts[^1].Rate:N0} orders per second, {OrderFormat.Names[0]} over the queue, one field");
        }

        return [.. ways.Select(way => new SessionResult("typed", options)
        {
            Library = OrderFormat.Names[way.Format],
            Transport = Transport.Names[way.Transport],
            Fields = way.HasAllFields ? "all" : "one",
            PayloadBytes = BytesOf(way),
            MessagesPerSecond = Figures.Median(way.Parts.Select(part => part.Rate)),
            AllocatedBytesPerMessage = way.Parts.Average(part => (double)part.AllocatedBytes / way.Messages),
        })];
    }

    private static List<Way> Ways() =>
    [
        .. from hasAllFields in new[] { false, true }
           from transport in OperatingSystem.IsWindows() ? new[] { Transport.Queue, Transport.Socket } : [Transport.Queue, Transport.Pipe, Transport.Socket]
           from format in Enumerable.Range(0, OrderFormat.Names.Length)
           select new Way(format, transport, hasAllFields),
    ];

    // With the largest number.
    private static int BytesOf(Way way)
    {
        using var format = OrderFormat.Create(way.Format);
        return format.Prepare(way.Messages - 1);
    }

    private readonly record struct Part(double Rate, long AllocatedBytes);

    private sealed record Way(int Format, long Transport, bool HasAllFields)
    {
        public int Messages { get; set; }

        public List<Part> Parts { get; } = [];
    }

    private sealed class Rounds(SessionOptions options, PeerProcess writer, PeerProcess reader)
    {
        private long _round;

        /// <summary>Runs parts that are not counted.</summary>
        /// <returns>Messages of a part.</returns>
        public int Warm(Way way, TimeSpan time)
        {
            way.Messages = FirstMessages;
            var start = Stopwatch.GetTimestamp();
            do
            {
                way.Messages = (int)Math.Clamp(Run(way).Rate * RoundTime.TotalSeconds, FirstMessages, LongestRound);
            }
            while (Stopwatch.GetElapsedTime(start) < time);
            return way.Messages;
        }

        public Part Run(Way way)
        {
            var round = _round++;
            Transport.Create(way.Transport, options, round);
            long[] order = [round, way.Format, way.Transport, way.HasAllFields ? 1 : 0, way.Messages];
            reader.Order(order);
            reader.Hear();
            writer.Order(order);
            writer.Hear();
            writer.Order();
            var sent = writer.Hear();
            var read = reader.Hear();
            writer.Order();
            Transport.Delete(way.Transport, options, round);
            if (read[2] != way.Messages * (way.Messages - 1L) / 2)
            {
                throw new InvalidOperationException($"Orders of {OrderFormat.Names[way.Format]} over the {Transport.Names[way.Transport]} are missing, or are not what was sent.");
            }

            return new Part(way.Messages / Stopwatch.GetElapsedTime(sent[0], read[0]).TotalSeconds, sent[1] + read[1]);
        }
    }
}
