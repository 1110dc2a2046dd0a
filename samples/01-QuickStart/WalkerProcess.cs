namespace BufferedMessages.Samples.QuickStart;

/// <summary>The first process: walks the tree and publishes a message per file, which the second process reads.</summary>
internal sealed class WalkerProcess(QuickStartOptions options) : IDisposable
{
    private readonly CancellationTokenSource _interrupt = new();

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync()
    {
        Console.CancelKeyPress += (_, e) =>
        {
            e.Cancel = true;
            _interrupt.Cancel();
        };

        Console.WriteLine($"Publishing a message for each file in {options.Root}. A second process reads them in place, and counts. Ctrl+C stops both; the next run goes on.");
        options.DeleteFinished();
        switch (await WalkAsync())
        {
            case null:
                await Console.Error.WriteLineAsync("Stopped. Run again to go on where it stopped.");
                return 130;
            case 0:
                options.Finish();
                return 0;
            case var exitCode:
                await Console.Error.WriteLineAsync($"The reading process ended with exit code {exitCode}. Nothing is lost: run again to go on.");
                return 1;
        }
    }

    public void Dispose() => _interrupt.Dispose();

    /// <summary>
    /// After a kill the queue may hold messages that were not read. They are read here: then the totals know the last file
    /// that was published, and the walk goes on after it.
    /// </summary>
    private static (long LastNumber, string LastPath, bool IsComplete) ReadBacklog(MessageQueue queue)
    {
        using var consumer = Patience.Open(() => queue.OpenConsumer<FileFoundBufferedMessage>(Reader.ConsumerName));
        using var totals = new Totals(queue.Path);
        new Reader(consumer, totals).ReadPublished();
        if (totals.LastNumber != 0)
        {
            Console.WriteLine($"Going on after message {totals.LastNumber} of the run before. To begin anew, delete {queue.Path}");
        }

        return (totals.LastNumber, totals.LastPath, totals.End.Number != 0);
    }

    /// <returns>The exit code of the reading process; null when the walk was interrupted.</returns>
    private async Task<int?> WalkAsync()
    {
        using var queue = MessageQueue.Open(options.QueueDirectory);
        using var producer = Patience.Open(() => queue.OpenProducer<FileFound>());
        var backlog = ReadBacklog(queue);
        using var reader = SecondProcess.Start(options.ReaderArguments);
        var readerExit = reader.WaitAsync();
        if (!backlog.IsComplete)
        {
            Publish(producer, backlog.LastNumber, backlog.LastPath, readerExit);
        }

        try
        {
            return await readerExit.WaitAsync(_interrupt.Token);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private void Publish(MessageProducer<FileFound> producer, long number, string after, Task readerExit)
    {
        var walk = new TreeWalk(options.Root, options.QueueDirectory);
        var isComplete = walk.Visit(after, file =>
        {
            file.Number = ++number;
            producer.Publish(file);
            return !readerExit.IsCompleted && !_interrupt.IsCancellationRequested;
        });
        if (isComplete)
        {
            producer.Publish(new FileFound { Number = number + 1, End = walk.LeftOut });
        }
    }
}
