using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>The fix for an async function with a generated view as a parameter. The views are in another assembly, as those of two programs would be.</summary>
public sealed class AwaitInLocalFunctionTests
{
    private const string Contract =
        """
        namespace Shop
        {
            [BufferedMessageSource] public partial class Order { public int Id { get; set; } public string? Note { get; set; } public string Name { get; set; } = ""; public Line? Line { get; set; } public IPart? Part { get; set; } public List<Line>? Lines { get; set; } }
            [BufferedMessageUnion, BufferedCase<Line>(1)] public partial interface IPart;
            [BufferedMessageSource] public partial class Line : IPart { public int Count { get; set; } public string? Note { get; set; } public DateTime? At { get; set; } }
        }
        """;

    private const string Head =
        """
        using System.Threading;
        using System.Threading.Tasks;
        using Shop;

        public static class Warehouse
        {
            public static Task<int> SendAsync(int id, string? note, CancellationToken cancellation) => Task.FromResult(id);
            public static void Show(OrderBufferedMessage order) { }
            public static void Show(Order order) { }
            public static void Print(OrderBufferedMessage order) { }
        }


        """;

    private static readonly Lazy<MetadataReference> ContractReference = new(static () =>
        MetadataReference.CreateFromImage(SourceProject.Of(Contract, new ProjectOptions { AssemblyName = "Contract" }).Generate().Emit()));

    [Theory]
    [InlineData(
        """
        public sealed class Shipping
        {
            /// <summary>Ships.</summary>
            public async ValueTask HandleAsync(OrderBufferedMessage order, string context, CancellationToken cancellationToken)
            {
                // Two reads of one member.
                if (order.Id > 3 && order.Note != "rush")
                {
                    await Warehouse.SendAsync(order.Id, order.Note.ToString(), cancellationToken);
                }

                await Warehouse.SendAsync(order.Line.Count, order.Line.Note, cancellationToken);
            }

            public int Id => 3;
        }
        """,
        """
        public sealed class Shipping
        {
            /// <summary>Ships.</summary>
            public ValueTask HandleAsync(OrderBufferedMessage order, string context, CancellationToken cancellationToken)
            {
                var id = order.Id;
                var note = order.Note.ToString();
                var count = order.Line.Count;
                var note2 = order.Line.Note.ToString();
                return ContinueAsync(id, note, count, note2);

                async ValueTask ContinueAsync(int id, string? note, int count, string? note2)
                {
                    // Two reads of one member.
                    if (id > 3 && note != "rush")
                    {
                        await Warehouse.SendAsync(id, note, cancellationToken);
                    }

                    await Warehouse.SendAsync(count, note2, cancellationToken);
                }
            }

            public int Id => 3;
        }
        """)]
    [InlineData(
        """
        public static class Shipping
        {
            private const int id = 3;

            static async Task<int> HandleAsync(OrderBufferedMessage order, CancellationToken ContinueAsync) =>
                await Warehouse.SendAsync(order.Id + id, order.Line.IsNull ? null : order.Line.At?.ToString(), ContinueAsync);
        }
        """,
        """
        public static class Shipping
        {
            private const int id = 3;

            static Task<int> HandleAsync(OrderBufferedMessage order, CancellationToken ContinueAsync)
            {
                var id2 = order.Id;
                var isNull = order.Line.IsNull;
                var at = order.Line.At;
                return ContinueAsync2(id2, isNull, at);

                async Task<int> ContinueAsync2(int id2, bool isNull, DateTime? at) => await Warehouse.SendAsync(id2 + id, isNull ? null : at?.ToString(), ContinueAsync);
            }
        }
        """)]
    [InlineData(
        """
        public static class Shipping
        {
            public static async Task HandleAsync(OrderBufferedMessage order) {
                Warehouse.Show(order);
                var text = @"One
        two";
                foreach (var line in order.Lines!) {
                    await Warehouse.SendAsync(line.Count, text, default);
                }
            }
        }
        """,
        """
        public static class Shipping
        {
            public static Task HandleAsync(OrderBufferedMessage order) {
                var copy = order.ToOrder();
                return ContinueAsync(copy);

                async Task ContinueAsync(Order order) {
                    Warehouse.Show(order);
                    var text = @"One
        two";
                    foreach (var line in order.Lines!) {
                        await Warehouse.SendAsync(line.Count, text, default);
                    }
                }
            }
        }
        """)]
    [InlineData(
        """
        public static class Shipping
        {
            public static Task Run(byte[] bytes)
            {
                return Send(BufferedMessage.Create<OrderBufferedMessage>(bytes));

                static async Task Send(OrderBufferedMessage order) => await Warehouse.SendAsync(order.Id, null, default);
            }
        }
        """,
        """
        public static class Shipping
        {
            public static Task Run(byte[] bytes)
            {
                return Send(BufferedMessage.Create<OrderBufferedMessage>(bytes));

                static Task Send(OrderBufferedMessage order)
                {
                    var id = order.Id;
                    return ContinueAsync(id);

                    async Task ContinueAsync(int id) => await Warehouse.SendAsync(id, null, default);
                }
            }
        }
        """)]
    [InlineData(
        """
        public static class Shipping
        {
            public static async Task HandleAsync(OrderBufferedMessage order) => await Warehouse.SendAsync(order.Id, nameof(order.Note), default);
        }
        """,
        """
        public static class Shipping
        {
            public static Task HandleAsync(OrderBufferedMessage order)
            {
                var id = order.Id;
                return ContinueAsync(id);

                async Task ContinueAsync(int id) => await Warehouse.SendAsync(id, nameof(order.Note), default);
            }
        }
        """)]
    [InlineData(
        """
        public static class Shipping
        {
            public static async /* A. */ Task<int> HandleAsync(OrderBufferedMessage order) /* B. */ =>
                await Warehouse.SendAsync(order.Id, null, default) /* C. */; // D.
        }
        """,
        """
        public static class Shipping
        {
            public static /* A. */ Task<int> HandleAsync(OrderBufferedMessage order) /* B. */
            {
                var id = order.Id;
                return ContinueAsync(id);

                async Task<int> ContinueAsync(int id) => await Warehouse.SendAsync(id, null, default) /* C. */;
            } // D.
        }
        """)]
    [InlineData(
        """"
        public static class Shipping
        {
            public static async Task<string> HandleAsync(OrderBufferedMessage order)
            {
                await Task.Yield();
                return $"""
                    One {order.Id}
                      two
                    """ + $@"
        {order.Id} three
        ";
            }
        }
        """",
        """"
        public static class Shipping
        {
            public static Task<string> HandleAsync(OrderBufferedMessage order)
            {
                var id = order.Id;
                return ContinueAsync(id);

                async Task<string> ContinueAsync(int id)
                {
                    await Task.Yield();
                    return $"""
                    One {id}
                      two
                    """ + $@"
        {id} three
        ";
                }
            }
        }
        """")]
    public async Task The_function_reads_what_its_body_needs_and_awaits_in_a_local_function(string before, string after)
    {
        using var project = ProjectOf(Head + before);

        Assert.True(await project.FixFirst(new AwaitInLocalFunctionCodeFix(), "CS4012"));

        Assert.Equal(Head + after, await project.TextOf("Source.cs"));
        Assert.Empty(await project.Errors());
    }

    [Theory]
    [InlineData("Warehouse.Print(order); await Task.Yield();")]
    [InlineData("order = default; await Task.Delay(order.Id);")]
    [InlineData("if (order.Part.Case == PartCase.Line) { await Task.Delay(order.Part.AsLine().Count); }")]
    [InlineData("await Task.Yield(); var line = order.Line; Warehouse.Print(order);")]
    public async Task A_body_that_needs_the_view_itself_is_left_to_a_person(string body)
    {
        using var project = ProjectOf($"{Head} public static class Shipping {{ public static async Task HandleAsync(OrderBufferedMessage order) {{ {body} }} }}");

        Assert.False(await project.FixFirst(new AwaitInLocalFunctionCodeFix(), "CS4012"));
    }

    [Theory]
    [InlineData("public static async Task HandleAsync(OrderBufferedMessage order) => await Task.Delay(order. .Lines.Count);")]
    [InlineData("public static async Task HandleAsync(OrderBufferedMessage order) {\n await Task.Yield();\n\n")]
    public async Task A_body_that_is_being_typed_does_not_make_the_fix_fail(string method)
    {
        using var project = ProjectOf($"{Head} public static class Shipping {{ {method}");

        await project.FixFirst(new AwaitInLocalFunctionCodeFix(), "CS4012");
    }

    private static FixedProject ProjectOf(string source) => new([new SourceFile("Source.cs", source)], references: [ContractReference.Value]);
}
