using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>Opening a queue with the type of the other side is reported with the right type, though the call does not compile.</summary>
public sealed class QueueTypeAnalyzerTests
{
    private const string Types =
        """
        [BufferedMessageSource] public partial class Order { public int Id { get; set; } }
        [BufferedMessageSource(ViewName = "LineView")] public partial struct Line { public int Id { get; set; } }
        [BufferedMessageUnion, BufferedCase<Card>(1)] public partial interface IPayment;
        [BufferedMessageSource] public partial class Card : IPayment { public int Id { get; set; } }
        public class Handmade : IBufferedMessageSource<Handmade> { public static MessageSchema Schema => null!; public int CalculateSize() => 0; public int Write(Span<byte> destination) => 0; }
        public class Plain { public int Id { get; set; } }
        public struct Tick { public long At; }
        public struct Note { public string? Text; }
        public class Page<T> { public int Id { get; set; } }
        public abstract class Shape { public int Id { get; set; } }

        """;

    public static TheoryData<string, string> Broken => new()
    {
        { "OpenConsumer<[|Order|]>(\"a\")", "OpenConsumer<Order> does not compile, because 'Order' is for producers; use its view, OpenConsumer<OrderBufferedMessage>" },
        { "OpenConsumer<[|Line|]>(\"a\")", "OpenConsumer<Line> does not compile, because 'Line' is for producers; use its view, OpenConsumer<LineView>" },
        { "OpenConsumer<[|IPayment|]>(\"a\")", "OpenConsumer<IPayment> does not compile, because 'IPayment' is for producers; use its view, OpenConsumer<PaymentBufferedMessage>" },
        { "OpenReader<[|Order|]>(QueueStart.Earliest)", "OpenReader<Order> does not compile, because 'Order' is for producers; use its view, OpenReader<OrderBufferedMessage>" },
        { "OpenConsumer<[|Tick|]>(\"a\")", "OpenConsumer<Tick> does not compile, because 'Tick' is an unmanaged value; use OpenConsumer<ValueMessage<Tick>>" },
        { "OpenConsumer<[|int|]>(\"a\")", "OpenConsumer<int> does not compile, because 'int' is an unmanaged value; use OpenConsumer<ValueMessage<int>>" },
        { "OpenConsumer<[|Plain|]>(\"a\")", "OpenConsumer<Plain> does not compile, because 'Plain' is not a view; add [BufferedMessageSource] to it and use its view, OpenConsumer<PlainBufferedMessage>" },
        { "OpenConsumer<[|Note|]>(\"a\")", "OpenConsumer<Note> does not compile, because 'Note' is not a view; add [BufferedMessageSource] to it and use its view, OpenConsumer<NoteBufferedMessage>" },
        { "OpenConsumer<[|Page<int>|]>(\"a\")", "OpenConsumer<Page<int>> does not compile, because 'Page<int>' is not a view; use the view of a source, or OpenConsumer<RawMessage>, which returns the bytes" },
        { "OpenProducer<[|Shape|]>()", "OpenProducer<Shape> does not compile, because 'Shape' is not a message source; open OpenProducer(), which publishes bytes, or write a source that holds what you publish" },
        { "OpenConsumer<[|byte[]|]>(\"a\")", "OpenConsumer<byte[]> does not compile, because 'byte[]' is not a view; use the view of a source, or OpenConsumer<RawMessage>, which returns the bytes" },
        { "OpenProducer<[|int|]>()", "OpenProducer<int> does not compile, because 'int' is an unmanaged value; use OpenValueProducer<int>" },
        { "OpenProducer<[|string|]>()", "OpenProducer<string> does not compile, because 'string' is not a message source; open OpenProducer(), which publishes bytes, or write a source that holds what you publish" },
        { "OpenPublisher<[|OrderBufferedMessage|]>()", "OpenPublisher<OrderBufferedMessage> does not compile, because 'OrderBufferedMessage' is a view, which consumers read; use the source of the view" },
        { "OpenProducer<[|Plain|]>()", "OpenProducer<Plain> does not compile, because 'Plain' is not a message source; add [BufferedMessageSource] to it, or open OpenProducer(), which publishes bytes" },
        { "OpenProducer<[|OrderBufferedMessage|]>()", "OpenProducer<OrderBufferedMessage> does not compile, because 'OrderBufferedMessage' is a view, which consumers read; use the source of the view" },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public Task A_type_of_another_side_says_which_one_to_use(string call, string message) =>
        AnalyzerTests.RequireOne("BMSG0070", $"{Types} public static class Program {{ public static void Run(MessageQueue queue) => queue.{call}; }}", message);

    [Fact]
    public Task A_queue_that_may_be_null_is_looked_at_too() =>
        AnalyzerTests.RequireOne(
            "BMSG0070",
            $"{Types} public static class Program {{ public static void Run(MessageQueue? queue) => queue?.OpenProducer<[|int|]>(); }}",
            "OpenProducer<int> does not compile, because 'int' is an unmanaged value; use OpenValueProducer<int>");

    [Theory]
    [InlineData("MessageQueue", "OpenProducer<Order>()")]
    [InlineData("MessageQueue", "OpenProducer<Line>()")]
    [InlineData("MessageQueue", "OpenProducer<IPayment>()")]
    [InlineData("MessageQueue", "OpenProducer<Handmade>()")]
    [InlineData("MessageQueue", "OpenProducer()")]
    [InlineData("MessageQueue", "OpenPublisher<Order>()")]
    [InlineData("MessageQueue", "OpenValueProducer<Tick>()")]
    [InlineData("MessageQueue", "OpenConsumer<OrderBufferedMessage>(\"a\")")]
    [InlineData("MessageQueue", "OpenConsumer<PaymentBufferedMessage>(\"a\")")]
    [InlineData("MessageQueue", "OpenConsumer<BufferedMessages.RawMessage>(\"a\")")]
    [InlineData("MessageQueue", "OpenConsumer<Missing>(\"a\")")]
    [InlineData("MessageQueue", "GetHashCode<int>()")]
    [InlineData("Queue<int>", "OpenConsumer<Order>(\"a\")")]
    public async Task Other_calls_are_left_alone(string queue, string call)
    {
        var problems = await AnalyzerTests.Analyze(SourceProject.Of($"{Types} public static class Program {{ public static void Run({queue} queue) => queue.{call}; }}"));

        Assert.DoesNotContain(problems, static problem => problem.Id == "BMSG0070");
    }

    [Fact]
    public async Task A_method_of_the_user_with_the_name_of_another_is_left_alone()
    {
        var problems = await AnalyzerTests.Analyze(SourceProject.Of(
            $"{Types} public static class Program {{ public static void OpenReader<T>(this MessageQueue queue, int first, int last) {{ }} public static void Run(MessageQueue queue) => queue.OpenReader<Order>(1, 2); }}"));

        Assert.DoesNotContain(problems, static problem => problem.Id == "BMSG0070");
    }

    [Fact]
    public async Task A_type_parameter_is_left_to_the_compiler()
    {
        var project = SourceProject.Of("public static class Program { public static void Run<T>(MessageQueue queue) where T : IBufferedMessageSource<T> => queue.OpenProducer<T>(); }");

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.DoesNotContain(project.Generate().Problems, static problem => problem.Severity == DiagnosticSeverity.Error);
    }
}
