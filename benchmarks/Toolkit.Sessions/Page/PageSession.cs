using System.Diagnostics;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>
/// The cost of a page of `bufferedmessages serve` for the producer of the queue that it shows, beside 99 other queues, and the time of the page's answers in that time.
/// The floor of each round is the producer with no page, right before. The producer's process has one busy thread; the server is another process.
/// </summary>
internal static class PageSession
{
    private const int OtherQueues = 99;
    private static readonly TimeSpan AnswerPause = TimeSpan.FromMilliseconds(250);

    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path, Mode = QueueMode.Bounded };
        for (var number = 1; number <= OtherQueues; number++)
        {
            SessionDirectory.CreateQueue(options, number, "other");
        }

        SessionDirectory.CreateQueue(options, 0);
        using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, 0));
        using var consumer = queue.OpenConsumer<RawMessage>("session");
        using var producer = queue.OpenProducer();
        var time = options.RoundTime;
        var publisher = new Publisher(producer, consumer, new byte[options.PayloadBytes], options.MessagesOfTurn);
        publisher.MeasureRate(options.Warmup);
        var parts = new Part[] { new("page: all queues", ""), new("page: one queue", $"path={Uri.EscapeDataString(queue.Path)}"), new("page: following", $"path={Uri.EscapeDataString(queue.Path)}&follow=latest") };
        for (var round = 1; round <= options.Rounds; round++)
        {
            foreach (var part in parts)
            {
                part.Rounds.Add(RunRound(publisher, directory.Path, queue.Path, part.Query, time).GetAwaiter().GetResult());
                var (rate, floor, answers) = part.Rounds[^1];
                Report.Progress($"round {round}, {part.Scenario}: {rate:N0} messages/s, without a page {floor:N0}, answers p50 {Report.Time(answers[0])}, max {Report.Time(answers[^1])}");
            }
        }

        return
        [
            .. parts.Select(part => new SessionResult(part.Scenario, options)
            {
                MessagesPerSecond = Figures.Median(part.Rounds.Select(static round => round.Rate)),
                FloorMessagesPerSecond = Figures.Median(part.Rounds.Select(static round => round.Floor)),
                FloorRatio = Figures.Median(part.Rounds.Select(static round => round.Rate / round.Floor)),
                P50 = Figures.Median(part.Rounds.Select(static round => round.Answers[0])),
                P90 = Figures.Median(part.Rounds.Select(static round => round.Answers[1])),
                P99 = Figures.Median(part.Rounds.Select(static round => round.Answers[2])),
                Max = part.Rounds.Max(static round => round.Answers[^1]),
            }),
        ];
    }

    // Without a page twice, before and after, since the machine's speed drifts.
    private static async Task<(double Rate, double Floor, long[] Answers)> RunRound(Publisher publisher, string folder, string queue, string query, TimeSpan time)
    {
        var before = publisher.MeasureRate(time);
        double rate;
        var answers = new List<long>();
        using (var page = await ServedPage.StartAsync(folder).ConfigureAwait(false))
        {
            using var end = new CancellationTokenSource();
            var events = await page.ShowAsync(query, end.Token).ConfigureAwait(false);
            var asking = AskAsync(page, queue, answers, end.Token);
            rate = publisher.MeasureRate(time);
            await end.CancelAsync().ConfigureAwait(false);
            await asking.ConfigureAwait(false);
            await events.ConfigureAwait(false);
        }

        return (rate, (before + publisher.MeasureRate(time)) / 2, Figures.Quantiles([.. answers]));
    }

    private static async Task AskAsync(ServedPage page, string queue, List<long> answers, CancellationToken token)
    {
        while (!token.IsCancellationRequested)
        {
            var start = Stopwatch.GetTimestamp();
            await page.AskAsync(queue).ConfigureAwait(false);
            answers.Add(Figures.NanosecondsSince(start));
            await Task.Delay(AnswerPause, token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private sealed record Part(string Scenario, string Query)
    {
        public List<(double Rate, double Floor, long[] Answers)> Rounds { get; } = [];
    }

    /// <summary>The producer, and a name that moves on: without one the producer would wait when the queue is full.</summary>
    private sealed class Publisher(MessageProducer producer, MessageConsumer<RawMessage> consumer, byte[] message, int messagesBetweenSeeks)
    {
        public double MeasureRate(TimeSpan time)
        {
            var messages = 0L;
            var start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start) < time)
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                for (var i = 0; i < messagesBetweenSeeks; i++)
                {
                    producer.Publish(message);
                }

                consumer.Seek(QueueStart.Latest);
                messages += messagesBetweenSeeks;
            }

            return messages / Stopwatch.GetElapsedTime(start).TotalSeconds;
        }
    }
}
