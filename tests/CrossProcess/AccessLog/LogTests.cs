using System.Runtime.InteropServices;
using BufferedMessages.Samples.AccessLog;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.CrossProcess.AccessLog;

/// <summary>An access log that is read in place in another process than the one that wrote it.</summary>
public sealed class LogTests : IDisposable
{
    private const string LogFile = "access.log";

    private readonly QueueDirectory _directory = new();

    private static string SampleLog => Path.Combine(AppContext.BaseDirectory, "sample.log");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Another_process_reads_every_field_of_the_sample_log_in_one_message() => InOneMessage(SampleLog);

    [TestDataFact(LogFile)]
    public void Another_process_reads_every_field_of_the_access_log_in_one_message() => InOneMessage(TestDataFactAttribute.PathOf(LogFile));

    [Fact]
    public void Another_process_reads_every_field_of_the_sample_log_in_messages() => InMessages(SampleLog);

    [TestDataFact(LogFile)]
    public void Another_process_reads_every_field_of_the_access_log_in_messages() => InMessages(TestDataFactAttribute.PathOf(LogFile));

    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    public void Another_process_reads_every_field_of_the_sample_log_in_batches(QueueMode mode, ProducerMode producers)
    {
        using var queue = MessageQueue.Open(_directory.Queue, new() { Mode = mode, Producers = producers, SegmentBytes = 64 * 1024 });
        using var peer = Peer.Start(nameof(LogParts.CompareLines), _directory.Queue, SampleLog);
        using var producer = queue.OpenProducer<LogLine>(new() { StampTime = true });
        var log = Log.Parse(SampleLog);

        for (var first = 0; first < log.Lines.Count;)
        {
            var count = Math.Min(1 + (first % 40), log.Lines.Count - first);
            producer.PublishAll(CollectionsMarshal.AsSpan(log.Lines).Slice(first, count));
            first += count;
        }

        Assert.Equal(AllFieldsOf(log), peer.Hear());
    }

    [Fact]
    public void The_comparison_names_a_field_that_differs()
    {
        (string Field, Action<LogLine> Change)[] changes =
        [
            ("Number", static line => line.Number++),
            ("Fault", static line => line.Fault = ""),
            ("Request", static line => line.Request = null),
            ("Client", static line => line.Request!.Client += "0"),
            ("User", static line => line.Request!.User = ""),
            ("Time", static line => line.Request!.Time = line.Request.Time.ToOffset(TimeSpan.FromHours(1))),
            ("Method", static line => line.Request!.Method = null),
            ("Path", static line => line.Request!.Path = ""),
            ("Protocol", static line => line.Request!.Protocol = "HTTP/1.2"),
            ("Status", static line => line.Request!.Status++),
            ("Bytes", static line => line.Request!.Bytes = null),
            ("Referrer", static line => line.Request!.Referrer = ""),
            ("UserAgent", static line => line.Request!.UserAgent += " "),
        ];
        Assert.All(changes, static change =>
        {
            var line = Log.Parse(SampleLog).Lines[0];
            var message = line.ToMessageArray();
            change.Change(line);
            var failure = Assert.Throws<InvalidDataException>(() => new LogComparison().Compare(line, BufferedMessage.Create<LogLineBufferedMessage>(message)));
            Assert.Contains("actual." + change.Field, failure.Message, StringComparison.Ordinal);
        });
    }

    private void InOneMessage(string path)
    {
        var log = Log.Parse(path);
        log.WriteTo(_directory.Notes);

        using var peer = Peer.Start(nameof(LogParts.CompareLog), _directory.Notes, path);

        Assert.Equal(AllFieldsOf(log), peer.Hear());
    }

    private void InMessages(string path)
    {
        using var queue = MessageQueue.Open(_directory.Queue);
        using var peer = Peer.Start(nameof(LogParts.CompareLines), _directory.Queue, path);
        using var producer = queue.OpenProducer<LogLine>();
        var log = Log.Parse(path);

        log.Lines.ForEach(line => producer.Publish(line));

        Assert.Equal(AllFieldsOf(log), peer.Hear());
    }

    private static string AllFieldsOf(Log log) => $"{log.Lines.Count} lines, {LogComparison.FieldsOf(log)} fields";
}
