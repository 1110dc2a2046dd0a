using System.CommandLine;
using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.AccessLog;

const string AnswerRole = "--answer";
const int Interrupted = 130;

try
{
    if (args is [AnswerRole, var queueDirectory, var withBars])
    {
        return Answer(queueDirectory, bool.Parse(withBars));
    }

    var log = new Argument<string>("log") { Description = "A log in Apache's combined format; - is the standard input", DefaultValueFactory = static _ => "-" };
    var bars = new Option<bool>("--bars") { Description = "Draw the hours as bars, as on a terminal, and not each as a line", DefaultValueFactory = static _ => !Console.IsOutputRedirected };
    var command = new RootCommand("Publishes each line of a web server's log as a message. A second process reads them in place, and counts.") { log, bars };
    command.SetAction((parsed, _) => parsed.GetRequiredValue(log) is var path and not "-" ? PublishFileAsync(path, parsed.GetValue(bars)) : PublishInputAsync(parsed.GetValue(bars)));
    return await SampleCommand.RunAsync(command, args, "dotnet run --project samples/02-AccessLog -- samples/02-AccessLog/sample.log", "zcat access.log.gz | dotnet run --project samples/02-AccessLog");
}
catch (OperationCanceledException)
{
    // Ctrl+C in the first process. In the second one the first has ended before the log did, and says why.
    return Interrupted;
}
catch (Exception exception) when (exception is ArgumentException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return SampleCommand.Mistake;
}

static async Task<int> PublishFileAsync(string path, bool bars)
{
    using var file = new StreamReader(path);
    return await PublishAsync(file, bars);
}

// Console.In would read on this thread, and hold it until the next line comes, Ctrl+C or not.
static async Task<int> PublishInputAsync(bool bars)
{
    using var input = new StreamReader(Console.OpenStandardInput(), Console.InputEncoding);
    return await PublishAsync(input, bars);
}

// The first process: every line becomes a message.
static async Task<int> PublishAsync(TextReader log, bool bars)
{
    using var interrupt = new CancellationTokenSource();
    Console.CancelKeyPress += (_, e) =>
    {
        e.Cancel = true;
        interrupt.Cancel();
    };

    var directory = Directory.CreateTempSubdirectory("accesslog-").FullName;
    try
    {
        using var answer = SecondProcess.Start(AnswerRole, directory, bars.ToString());
        using var queue = MessageQueue.Open(directory);
        using var producer = queue.OpenProducer<LogLine>();
        var line = new LogLine();
        while (await log.ReadLineAsync(interrupt.Token).AsTask().WaitAsync(interrupt.Token) is { } text)
        {
            line.Number++;
            line.Fault = CombinedFormat.Read(text, out var request);
            line.Request = request;
            producer.Publish(line);
        }

        (line.Request, line.Fault) = (null, null);
        producer.Publish(line);
        return await answer.WaitAsync().WaitAsync(interrupt.Token);
    }
    finally
    {
        Directory.Delete(directory, recursive: true);
    }
}

// The second process: reads the messages where they lie, until the one that has neither request nor fault.
static int Answer(string queueDirectory, bool bars)
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

    answers.Print(Console.Out, bars);
    return 0;
}
