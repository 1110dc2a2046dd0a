using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>
/// Three generations of a union read each other in every direction: cases that a generation knows with the members that it knows, others
/// as unknown.
/// </summary>
public class UnionEvolutionTests
{
    public static TheoryData<int, int, string> Directions => new()
    {
        { 1, 1, "created 1, moved 7" },
        { 1, 2, "created 1 by nobody, moved 7" },
        { 1, 3, "created 1 by nobody, unknown 2" },
        { 2, 1, "created 1, moved 7, unknown 3" },
        { 2, 2, "created 1 by Ann, moved 7, renamed new" },
        { 2, 3, "created 1 by Ann, unknown 2, renamed new" },
        { 3, 1, "created 1, unknown 3, unknown 4" },
        { 3, 2, "created 1 by Ann, renamed new, unknown 4" },
        { 3, 3, "created 1 by Ann, renamed new, merged 1" },
    };

    [Theory]
    [MemberData(nameof(Directions))]
    public void Elements_that_a_generation_does_not_know_are_unknown(int writer, int reader, string expected) =>
        Assert.Equal(expected, string.Join(", ", Elements(reader, Write(writer))));

    [Theory]
    [MemberData(nameof(Directions))]
    public void Values_of_a_dictionary_and_members_are_read_alike(int writer, int reader, string expected)
    {
        var message = Write(writer);

        Assert.Equal(expected, string.Join(", ", Values(reader, message)));
        Assert.Equal(expected.Split(", ")[^1], Last(reader, message));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public void A_copy_is_whole_or_refused(int writer, int reader, string expected)
    {
        var message = Write(writer);
        if (expected.Contains("unknown", StringComparison.Ordinal))
        {
            var failure = Assert.Throws<UnknownCaseException>(() => Copy(reader, message));
            Assert.Contains($"unknown {failure.Number}", expected, StringComparison.Ordinal);
            Assert.Equal("IEvent", failure.Union.Name);
            Assert.Contains(failure.Union.ToString(), failure.Message, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(expected.Split(", ").Length, Copy(reader, message));
        }
    }

    [Fact]
    public void Their_schemas_are_compatible() =>
        Assert.All(Directions, static direction => SchemaOf((int)direction[0]).RequireCompatible(SchemaOf((int)direction[1])));

    [Fact]
    public void An_unknown_case_stays_in_the_bytes_that_are_passed_on()
    {
        var message = Write(3);
        using var owner = BufferedMessage.Load<Generation1.LogBufferedMessage>(new MemoryStream(message));

        Assert.Equal("created 1 by Ann, renamed new, merged 1", string.Join(", ", Elements(3, owner.Bytes.ToArray())));
    }

    [Fact]
    public void A_queue_of_a_union_is_read_by_an_older_generation()
    {
        using var directory = new QueueDirectory();
        using var queue = MessageQueue.Open(directory.Path);
        using (var old = queue.OpenProducer<Generation1.IEvent>())
        {
            old.Publish(new Generation1.Moved { From = 7 });
        }

        using (var producer = queue.OpenProducer<Generation2.IEvent>())
        {
            producer.Publish(new Generation2.Renamed { Name = "new" });
            producer.Publish(new Generation2.Created { At = 1, By = "Ann" });
        }

        using var consumer = queue.OpenConsumer<Generation1.EventBufferedMessage>("old");
        Assert.Equal(["moved 7", "unknown 3", "created 1"], Enumerable.Range(0, 3).Select(_ => Take(consumer)));
    }

    private static string Take(MessageConsumer<Generation1.EventBufferedMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery));
        using (delivery)
        {
            var text = Text(delivery.Message);
            delivery.Commit();
            return text;
        }
    }

    private static byte[] Write(int generation) => generation switch
    {
        1 => WriteFirst(),
        2 => WriteSecond(),
        _ => WriteThird(),
    };

    private static byte[] WriteFirst()
    {
        List<Generation1.IEvent> all = [new Generation1.Created { At = 1 }, new Generation1.Moved { From = 7 }];
        return new Generation1.Log { All = all, ByName = ByName(all), Last = all[^1] }.ToMessageArray();
    }

    private static byte[] WriteSecond()
    {
        List<Generation2.IEvent> all = [new Generation2.Created { At = 1, By = "Ann" }, new Generation2.Moved { From = 7 }, new Generation2.Renamed { Name = "new" }];
        return new Generation2.Log { All = all, ByName = ByName(all), Last = all[^1] }.ToMessageArray();
    }

    private static byte[] WriteThird()
    {
        List<Generation3.IEvent> all =
        [
            new Generation3.Created { At = 1, By = "Ann" },
            new Generation3.Renamed { Name = "new" },
            new Generation3.Merged { Parts = [new Generation3.Created { At = 9 }] },
        ];
        return new Generation3.Log { All = all, ByName = ByName(all), Last = all[^1] }.ToMessageArray();
    }

    private static Dictionary<string, T> ByName<T>(List<T> events) => Enumerable.Range(0, events.Count).ToDictionary(static i => $"event {i}", i => events[i]);

    private static List<string> Elements(int generation, byte[] message)
    {
        var texts = new List<string>();
        switch (generation)
        {
            case 1:
                foreach (var element in new Generation1.LogBufferedMessage(message).All)
                {
                    texts.Add(Text(element));
                }

                break;
            case 2:
                foreach (var element in new Generation2.LogBufferedMessage(message).All)
                {
                    texts.Add(Text(element));
                }

                break;
            default:
                foreach (var element in new Generation3.LogBufferedMessage(message).All)
                {
                    texts.Add(Text(element));
                }

                break;
        }

        return texts;
    }

    private static IEnumerable<string> Values(int generation, byte[] message) =>
        Enumerable.Range(0, Elements(generation, message).Count).Select(i => generation switch
        {
            1 => Text(new Generation1.LogBufferedMessage(message).ByName[$"event {i}"]),
            2 => Text(new Generation2.LogBufferedMessage(message).ByName[$"event {i}"]),
            _ => Text(new Generation3.LogBufferedMessage(message).ByName[$"event {i}"]),
        });

    private static string Last(int generation, byte[] message) => generation switch
    {
        1 => Text(new Generation1.LogBufferedMessage(message).Last),
        2 => Text(new Generation2.LogBufferedMessage(message).Last),
        _ => Text(new Generation3.LogBufferedMessage(message).Last),
    };

    private static int Copy(int generation, byte[] message) => generation switch
    {
        1 => new Generation1.LogBufferedMessage(message).ToLog().All!.Count,
        2 => new Generation2.LogBufferedMessage(message).ToLog().All!.Count,
        _ => new Generation3.LogBufferedMessage(message).ToLog().All!.Count,
    };

    private static MessageSchema SchemaOf(int generation) => generation switch
    {
        1 => Generation1.Log.BufferedBlock.Schema,
        2 => Generation2.Log.BufferedBlock.Schema,
        _ => Generation3.Log.BufferedBlock.Schema,
    };

    private static string Text(Generation1.EventBufferedMessage message) => message.Case switch
    {
        Generation1.EventCase.Created => $"created {message.AsCreated().At}",
        Generation1.EventCase.Moved => $"moved {message.AsMoved().From}",
        _ => Unknown(message.IsUnknown, (int)message.Case),
    };

    private static string Text(Generation2.EventBufferedMessage message) => message.Case switch
    {
        Generation2.EventCase.Created => $"created {message.AsCreated().At} by {message.AsCreated().By.ToString() ?? "nobody"}",
        Generation2.EventCase.Moved => $"moved {message.AsMoved().From}",
        Generation2.EventCase.Renamed => $"renamed {message.AsRenamed().Name}",
        _ => Unknown(message.IsUnknown, (int)message.Case),
    };

    private static string Text(Generation3.EventBufferedMessage message) => message.Case switch
    {
        Generation3.EventCase.Created => $"created {message.AsCreated().At} by {message.AsCreated().By.ToString() ?? "nobody"}",
        Generation3.EventCase.Renamed => $"renamed {message.AsRenamed().Name}",
        Generation3.EventCase.Merged => $"merged {message.AsMerged().Parts.Count}",
        _ => Unknown(message.IsUnknown, (int)message.Case),
    };

    private static string Unknown(bool isUnknown, int number) => isUnknown ? $"unknown {number}" : "null";
}
