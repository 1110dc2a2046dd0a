namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Queues that .NET writes: the readers of other languages print the same lines, also while a producer publishes at full speed.</summary>
public sealed class WrittenQueueTests : IDisposable
{
    // The ring is passed round often. In the segments of a durable queue, each reader is soon so far after the producer that it reads what is written already.
    private const int MessagesOfRing = 200_000;
    private const int MessagesOfSegments = 50_000;
    private static readonly TimeSpan Generous = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("queues").FullName;

    public static TheoryData<string> Kinds => [.. QueueMaker.Kinds.Keys];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [PythonTheory]
    [MemberData(nameof(Kinds))]
    public void Python_prints_the_lines_of_dotnet(string kind) => AssertLines(kind, PythonReader.Program, PythonReader.Module);

    [CompilerTheory]
    [MemberData(nameof(Kinds))]
    public void C_prints_the_lines_of_dotnet(string kind) => AssertLines(kind, CReader.Example);

    [PythonTheory]
    [InlineData("durable-single", MessagesOfSegments)]
    [InlineData("bounded-many", MessagesOfRing)]
    public void Python_follows_a_producer_at_full_speed(string kind, int messages) => AssertFollows(kind, messages, PythonReader.Program, PythonReader.Module);

    [CompilerTheory]
    [InlineData("durable-single", MessagesOfSegments)]
    [InlineData("bounded-many", MessagesOfRing)]
    public void C_follows_a_producer_at_full_speed(string kind, int messages) => AssertFollows(kind, messages, CReader.Example);

    [PythonFact]
    public void Python_shows_the_members_that_a_later_producer_adds() => AssertFollowsVersions(PythonReader.Program, PythonReader.Module);

    [CompilerFact]
    public void C_shows_the_members_that_a_later_producer_adds() => AssertFollowsVersions(CReader.Example);

    [PythonFact]
    public void Python_reads_on_after_padding_whose_checksum_is_0() => AssertReadsZeroChecksum(PythonReader.Program, PythonReader.Module);

    [CompilerFact]
    public void C_reads_on_after_padding_whose_checksum_is_0() => AssertReadsZeroChecksum(CReader.Example);

    private void AssertReadsZeroChecksum(string program, params string[] arguments)
    {
        var directory = Path.Combine(_folder, "zero");
        QueueMaker.MakeZeroChecksum(directory);
        Assert.Equal(QueueLines.Of(directory), ExternalProgram.Run(program, [.. arguments, "cat", directory]));
    }

    private void AssertFollowsVersions(string program, params string[] arguments)
    {
        var directory = Path.Combine(_folder, "versions");
        using var queue = MessageQueue.Open(directory, QueueMaker.Kinds["durable-many"]);
        using (var older = queue.OpenProducer<Notice>())
        {
            older.Publish(new Notice { Number = 1 });
        }

        using var process = ExternalProgram.Start(program, [.. arguments, "cat", directory, "--follow"]);
        Assert.DoesNotContain("\"Pages\"", ExternalProgram.ReadLine(process)!, StringComparison.Ordinal);
        using var newer = queue.OpenProducer<LongerNotice>();
        newer.Publish(new LongerNotice { Number = 2, Pages = 7 });
        Assert.Contains("\"Pages\":7", ExternalProgram.ReadLine(process)!, StringComparison.Ordinal);
    }

    private void AssertLines(string kind, string program, params string[] arguments)
    {
        foreach (var (content, make) in new (string, Action<string, MessageQueueOptions>)[] { ("bytes", QueueMaker.MakeBytes), ("messages", QueueMaker.MakeMessages) })
        {
            var directory = Path.Combine(_folder, $"{kind}-{content}");
            make(directory, QueueMaker.Kinds[kind]);
            var expected = QueueLines.Of(directory);
            Assert.True(expected.Split('\n').Length > 30);
            Assert.Equal(expected, ExternalProgram.Run(program, [.. arguments, "cat", directory]));
        }
    }

    // A reader of a durable queue sees every message; one of a bounded queue may be overtaken, and sees whole messages in order, of which the last is one.
    private void AssertFollows(string kind, int messages, string program, params string[] arguments)
    {
        var directory = Path.Combine(_folder, kind);
        using var queue = MessageQueue.Open(directory, QueueMaker.Kinds[kind]);
        using var producer = queue.OpenProducer(new() { StampTime = true });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(BitConverter.GetBytes(0L));
        using var process = ExternalProgram.Start(program, [.. arguments, "cat", directory, "--follow"]);
        Assert.Equal(0, NumberIn(ExternalProgram.ReadLine(process)!));
        var publishing = Task.Run(() =>
        {
            for (var i = 1L; i <= messages; i++)
            {
                producer.Publish(BitConverter.GetBytes(i));
                if (consumer.TryRead(out var delivery))
                {
                    delivery.Commit();
                }
            }
        });

        var last = 0L;
        while (last != messages)
        {
            var number = NumberIn(ExternalProgram.ReadLine(process)!);
            Assert.True(kind.StartsWith("durable", StringComparison.Ordinal) ? number == last + 1 : number > last, $"{number} comes after {last}.");
            last = number;
        }

        Assert.True(publishing.Wait(Generous));
    }

    private static long NumberIn(string line)
    {
        const string Property = "\"payload\":\"";
        Assert.Contains("\"time\":\"", line, StringComparison.Ordinal);
        var start = line.IndexOf(Property, StringComparison.Ordinal) + Property.Length;
        return BitConverter.ToInt64(Convert.FromBase64String(line[start..line.LastIndexOf('"')]));
    }
}

/// <summary>A message as the first version of a program has it.</summary>
[BufferedMessageSource]
internal partial class Notice
{
    public int Number { get; set; }
}

/// <summary>The same message with a member that a later version has added.</summary>
[BufferedMessageSource]
internal partial class LongerNotice
{
    public int Number { get; set; }

    public int Pages { get; set; }
}
