using BufferedMessages.Runtime.Tests.Buffers;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Runtime.Tests.Evolution;

/// <summary>
/// Three generations of a program: members added, removed with their ordinals reserved, renamed and moved, enum members added. Each reads
/// what each of them writes.
/// </summary>
public sealed class GenerationTests
{
    private const int Last = 3;

    public static TheoryData<int, int> Pairs
    {
        get
        {
            var pairs = new TheoryData<int, int>();
            for (var writer = 1; writer <= Last; writer++)
            {
                for (var reader = 1; reader <= Last; reader++)
                {
                    pairs.Add(writer, reader);
                }
            }

            return pairs;
        }
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public void A_view_has_the_members_that_both_know_and_nothing_for_the_others(int writer, int reader) =>
        Assert.Equal(Expected(writer, reader), Generation.Of(reader).Read(Generation.Of(writer).Write()));

    [Theory]
    [MemberData(nameof(Pairs))]
    public void A_copy_has_the_same_and_keeps_initializers(int writer, int reader)
    {
        var expected = Expected(writer, reader);
        foreach (var (name, initializer) in Generation.Initializers.Where(initializer => expected.ContainsKey(initializer.Key)))
        {
            expected[name] ??= initializer;
        }

        Assert.Equal(expected, Generation.Of(reader).Copy(Generation.Of(writer).Write()));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public void Their_schemas_are_compatible(int writer, int reader) => SchemaOf(reader).RequireCompatible(SchemaOf(writer));

    [Theory]
    [InlineData(1, 2, 3)]
    [InlineData(3, 2, 1)]
    [InlineData(2, 3, 1)]
    public void Producers_and_consumers_of_all_generations_use_one_queue(int first, int second, int third)
    {
        using var directory = new QueueDirectory();
        using var queue = directory.Open();
        int[] writers = [first, second, third];
        foreach (var writer in writers)
        {
            Generation.Of(writer).Publish(queue);
        }

        foreach (var writer in writers)
        {
            for (var reader = 1; reader <= Last; reader++)
            {
                Assert.Equal(Expected(writer, reader), Generation.Of(reader).Take(queue, $"generation {reader}"));
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Members_of_a_newer_writer_survive_when_an_older_program_passes_the_bytes_on(int older)
    {
        using var received = new TemporaryFile();
        using var forwarded = new TemporaryFile();
        File.WriteAllBytes(received.Path, Generation.Of(Last).Write());

        Generation.Of(older).Forward(received.Path, forwarded.Path);

        Assert.Equal(Expected(Last, Last), Generation.Of(Last).Read(File.ReadAllBytes(forwarded.Path)));
    }

    [Fact]
    public void Members_of_a_newer_writer_survive_when_their_bytes_go_from_queue_to_queue()
    {
        using var from = new QueueDirectory();
        using var source = from.Open();
        using var to = new QueueDirectory();
        using var target = to.Open();
        Generation.Of(Last).Publish(source);
        using var consumer = source.OpenConsumer<RawMessage>("copy");
        using var producer = target.OpenProducer();
        Assert.True(consumer.TryRead(out var delivery));
        producer.Publish(delivery.Message.Bytes);
        delivery.Commit();

        using var last = target.OpenConsumer<RawMessage>("last");
        Assert.True(last.TryRead(out var copied));
        Assert.Equal(Expected(Last, Last), Generation.Of(Last).Read(copied.Message.Bytes));
        copied.Commit();
    }

    private static Dictionary<string, object?> Expected(int writer, int reader)
    {
        var written = Generation.Of(writer).Values;
        return Generation.Of(reader).Values.Keys.ToDictionary(name => name, name => written.TryGetValue(name, out var value) ? value : Generation.Missing[name]);
    }

    private static MessageSchema SchemaOf(int generation) => generation switch
    {
        1 => Generation1.Trade.BufferedBlock.Schema,
        2 => Generation2.Trade.BufferedBlock.Schema,
        _ => Generation3.Trade.BufferedBlock.Schema,
    };
}
