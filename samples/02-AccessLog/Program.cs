using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.AccessLog;

const string AnswerRole = "--answer";

try
{
    return args switch
    {
        [AnswerRole, var queueDirectory] => Answer(queueDirectory),
        [] or ["-"] => await PublishAsync(Console.In),
        [var path] => await PublishFileAsync(path),
        _ => throw new ArgumentException("Usage: AccessLog [path of a log in Apache's combined format; standard input by default]"),
    };
}
catch (OperationCanceledException)
{
    // Only the second process: the first one has ended before the log did, and says why.
    return 1;
}
catch (Exception exception) when (exception is ArgumentException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return 2;
}

static async Task<int> PublishFileAsync(string path)
{
    using var file = new StreamReader(path);
    return await PublishAsync(file);
}

// The first process: every line becomes a message.
static async Task<int> PublishAsync(TextReader log)
{
    var directory = Directory.CreateTempSubdirectory("accesslog-").FullName;
    try
    {
        using var answer = SecondProcess.Start(AnswerRole, directory);
        using var queue = MessageQueue.Open(directory);
        using var producer = queue.OpenProducer<LogLine>();
        var line = new LogLine();
        while (await log.ReadLineAsync() is { } text)
        {
            line.Number++;
            line.Fault = CombinedFormat.Read(text, out var request);
            line.Request = request;
            producer.Publish(line);
        }

        (line.Request, line.Fault) = (null, null);
        producer.Publish(line);
        return await answer.WaitAsync();
    }
    finally
    {
        Directory.Delete(directory, recursive: true);
    }
}

// The second process: reads the messages where they lie, until the one that has neither request nor fault.
static int Answer(string queueDirectory)
{
    using var queue = MessageQueue.Open(queueDirectory);
    using var consumer = queue.OpenConsumer<LogLineBufferedMessage>("answers");
    using var stop = new CancellationTokenSource();
    SecondProcess.OnFirstProcessEnded(stop.Cancel);

    var answers = new LogAnswers();
    foreach (var delivery in consumer.ReadAll(stop.Token))
    {
        var line = delivery.Message;
        if (line.Request.IsNull && line.Fault.IsNull)
        {
            break;
        }

        answers.Add(line);
    }

    answers.Print(Console.Out);
    return 0;
}
