namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A queue that is opened for reading alone, by a user who could write.</summary>
public abstract class ReadOnlyTests(QueueMode mode) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Messages_and_statistics_are_there_and_follow_the_writers()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);

        using var look = MessageQueue.OpenReadOnly(_directory.Path);
        using var reader = look.OpenReader<RawMessage>();
        Payload.PublishNumbers(producer, 3, 2);

        for (var number = 0; number < 5; number++)
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
        }

        Assert.False(reader.TryRead(out _));
        Assert.Equal((queue.Id, queue.Path, mode, queue.PublishedPosition), (look.Id, look.Path, look.Mode, look.PublishedPosition));
        Assert.Single(look.GetStatistics().Producers, static producer => producer.IsAlive);
    }

    [Fact]
    public async Task Everything_that_changes_the_queue_is_refused_and_no_byte_changes()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        using (queue.OpenConsumer<RawMessage>("risk"))
        {
            Payload.PublishNumbers(producer, 0, 3);
        }

        var before = Files();

        using (var look = MessageQueue.OpenReadOnly(_directory.Path))
        {
            Assert.Contains("OpenReadOnly", Assert.Throws<UnauthorizedAccessException>(() => look.OpenProducer()).Message, StringComparison.Ordinal);
            Assert.Throws<UnauthorizedAccessException>(() => look.OpenConsumer<RawMessage>("risk"));
            Assert.Throws<UnauthorizedAccessException>(() => look.OpenConsumer<RawMessage>("new"));
            Assert.Throws<UnauthorizedAccessException>(() => look.DeleteConsumer("risk"));
            Assert.Throws<UnauthorizedAccessException>(look.Flush);
            Assert.Throws<UnauthorizedAccessException>(() => look.WaitForDurable(0, TimeSpan.Zero));
            await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await look.WaitForDurableAsync(0, TimeSpan.Zero));
            Assert.Throws<UnauthorizedAccessException>(look.ApplyRetention);
            Assert.Equal(["risk"], look.GetStatistics().Consumers.Select(static name => name.Name));
        }

        Assert.Equal(before, Files());
    }

    [Fact]
    public void A_path_without_a_queue_is_named()
    {
        var exception = Assert.Throws<FileNotFoundException>(() => MessageQueue.OpenReadOnly(_directory.Path));

        Assert.Contains(_directory.Path, exception.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_directory.Path));
        Assert.Throws<ArgumentException>(() => MessageQueue.OpenReadOnly("orders"));
    }

    private List<string> Files() =>
    [
        .. from file in Directory.EnumerateFiles(_directory.Path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
           select $"{file} {File.GetLastWriteTimeUtc(file):O} {Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(file)))}",
    ];
}

public class ReadOnlyDurableTests() : ReadOnlyTests(QueueMode.Durable);

public class ReadOnlyBoundedTests() : ReadOnlyTests(QueueMode.Bounded);
