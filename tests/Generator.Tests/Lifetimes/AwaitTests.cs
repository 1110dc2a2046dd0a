using System.Globalization;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>The rule for views that are kept over an await, which runs on code that the compiler rejects.</summary>
public sealed class AwaitTests
{
    /// <summary>Gets uses after an await. The compiler reports the same place.</summary>
    public static TheoryData<string> Uses =>
    [
        "async Task F(Held d) { var order = d.Message; await Task.Yield(); Use([|order|].Id); Log(nameof(order)); }",
        "async Task F(Held d) { var note = d.Message.Note; await Task.Yield(); Use([|note|]); }",
        "async Task F(Delivery<RawMessage> d) { var raw = d.Message; await Task.Yield(); Use([|raw|].Bytes); }",
        "async Task F(Held d) { var properties = d.Properties; await Task.Yield(); Use([|properties|].Attempts); }",
        "async Task F(Held d) { var lines = d.Message.Lines; await Task.Yield(); foreach (var line in [|lines|]) { Use(line.Name); } }",
        "async Task F(Held d) { var order = d.Message; for (var i = 0; i < 3; i++) { Use([|order|]); await Task.Yield(); } }",
        "async Task F(Held d) { var order = d.Message; if (Ask()) { await Task.Yield(); } Use([|order|]); }",
        "async Task F(Held d) { var order = d.Message; try { await Task.Yield(); } catch (IOException) { Use([|order|]); } }",
        "async Task F(Held d) { var order = d.Message; try { Ask(); } finally { await Task.Yield(); } Use([|order|]); }",
        "async Task F(Held d) { var order = d.Message; await using (new MemoryStream()) { Log(\"\"); } Use([|order|]); }",
        "async Task F(Consumer c, Held first) { var order = first.Message; await foreach (var d in c.ReadAllAsync()) { Use([|order|]); } }",
        "void F() { Func<Held, Task> f = async d => { var order = d.Message; await Task.Yield(); Use([|order|]); }; }",
        "void F() { Func<Held, Func<Task>> f = d => { async Task Inner() { var order = d.Message; await Task.Yield(); Use([|order|]); } return Inner; }; }",
        "async Task F(Held d) { var order = d.Message; await Task.Yield(); order = Ask() ? [|order|] : d.Message; Use(order); }",
        "async Task<int> F(Held d) { var order = d.Message; return await Task.FromResult(1) + [|order|].Id; }",
    ];

    public static TheoryData<string> Parameters =>
    [
        "async Task F(View [|order|]) => await Task.Yield();",
        "async Task F(global::OrderBufferedMessage [|order|]) => await Task.Yield();",
        "async Task F(int id, BufferedString [|note|]) { await Task.Delay(id); Use(note); }",
        "async Task F(BufferedMessageList<LineBufferedMessage> [|lines|]) { await Task.Yield(); }",
        "async ValueTask F(RawMessage [|raw|], CancellationToken cancellation) => await Task.Delay(raw.Bytes.Length, cancellation);",
        "async Task F(DeliveryProperties [|properties|]) { await Task.Yield(); }",
        "void F() { async Task Inner(View [|order|]) { await Task.Yield(); } _ = Inner(default); }",
        "delegate Task Handler(View order); Handler F() => async [|order|] => await Task.Yield();",
        "delegate Task Handler(View order, int id); Handler F() => async (View [|order|], int id) => await Task.Delay(id);",
        "delegate Task Handler(View order); Handler F() => async delegate(View [|order|]) { await Task.Yield(); };",
    ];

    public static TheoryData<string> Fine =>
    [
        "async Task F(Held d) { var order = d.Message; var id = order.Id; await Task.Delay(id); Use(id); Use(d.Message); }",
        "async Task F(Held d) { var order = d.Message; await Task.Delay(order.Id); order = d.Message; Use(order); }",
        "async Task F(Consumer c) { await foreach (var d in c.ReadAllAsync()) { var order = d.Message; foreach (var line in order.Lines) { Use(line.Name); } await Task.Delay(order.Id); } }",
        "async Task F(Held d) { var order = d.Message; Use(order); await Task.Yield(); order = Ask() ? d.Message : default; Use(order); }",
        "async Task F(Held d) { var order = d.Message; Use(order); await Task.Yield(); order = _seen switch { 1 => d.Message, _ => default }; Use(order); }",
        "async Task F(Held d) { while (Ask()) { if (d.Message.Lines is [_, ..] lines) { Use(lines.Count); } await Task.Yield(); } }",
        "async Task F(Held d) { var order = d.Message; if (order.Id == 3) { await Task.Yield(); return; } Use(order); }",
        "async Task F(Held d) { await Task.Yield(); if (d.Message is { IsNull: false } order) { Use(order); } }",
        "async Task F(Held d) { while (true) { var order = d.Message; Use(order); if (Ask()) { break; } await Task.Yield(); } }",
        "async Task F(Held d) { var order = d.Message; Use(order); await Task.Yield(); Log(nameof(order)); }",
        "async Task F(Held d) { await Task.Yield(); Inner(d.Message); static void Inner(View order) => Use(order); }",
        "ValueTask F(View order) { var id = order.Id; return Inner(id); async ValueTask Inner(int value) => await Task.Delay(value); }",
        "async Task F(Held d, int[] counts) { foreach (var count in counts) { Use(d.Message); await Task.Delay(count); } }",
        "class Nested { } async Task F(Nested nested, CancellationToken cancellation) => await Task.Yield();",
        "async Task F(Consumer c) { foreach (var d in c.ReadAll()) { Use(d.Message); if (Ask()) { break; } } await Task.Yield(); }",
        "async Task F(Consumer c) { await Task.Yield(); foreach (var d in c.ReadAll()) { _ = Task.Run(async () => await Task.Yield()); } }",
        "async Task F(byte[] bytes) { var span = bytes.AsSpan(); Use(span); await Task.Yield(); }",
        "void F(Held d) { Log(\"\"); Log(\"\"); if (Ask()) { Log(\"\"); } try { Log(\"\"); if (Ask()) { Log(\"\"); } _ = Inner(); async Task Inner() { var order = d.Message; Use(order); await Task.Yield(); } } finally { Log(\"\"); } }",
    ];

    [Theory]
    [MemberData(nameof(Uses))]
    public async Task A_use_after_an_await_is_reported_where_the_compiler_rejects_it(string member)
    {
        var source = new LifetimeSource(member);

        Assert.Contains(source.Errors(), problem => problem.Id == "CS4007" && problem.Location.SourceSpan == source.Place);
        await RequireOne(source);
    }

    [Theory]
    [MemberData(nameof(Parameters))]
    public async Task A_view_as_parameter_of_an_async_function_is_reported_where_the_compiler_rejects_it(string member)
    {
        var source = new LifetimeSource(member);

        Assert.Contains(source.Errors(), problem => problem.Id == "CS4012" && problem.Location.SourceSpan == source.Place);
        await RequireOne(source);
    }

    [Theory]
    [InlineData("async Task F(Held d) { foreach (var line in [|d.Message.Lines|]) { await Task.Delay(line.Name.Length); } }")]
    [InlineData("async Task F(Held d) { foreach (var count in [|d.Message.Counts|]) { await Task.Delay(count); } }")]
    [InlineData("async Task F(Consumer c) { foreach (var d in [|c.ReadAll()|]) { var id = d.Message.Id; await Task.Delay(id); } }")]
    [InlineData("async Task F(Reader r, CancellationToken stop) { foreach (Held d in [|r.ReadAll(stop)|]) { if (d.Message.Id == 3) { await Task.Yield(); break; } } }")]
    [InlineData("void F(Consumer c) { Func<Task> f = async () => { foreach (var d in [|c.ReadAll()|]) { try { Use(d.Message); } finally { await Task.Yield(); } } }; }")]
    public async Task A_loop_with_an_await_over_a_list_of_a_view_or_over_deliveries_is_reported(string member)
    {
        var source = new LifetimeSource(member);

        Assert.Contains(source.Errors(), static problem => problem.Id == "CS4007");
        await RequireOne(source);
    }

    [Theory]
    [MemberData(nameof(Fine))]
    public Task What_compiles_is_not_reported(string member) => new LifetimeSource(member).RequireNone();

    [Theory]
    [InlineData(
        "async Task F(View order) => await Task.Yield();",
        "'order' is a view that an async function has as a parameter, which does not compile, because no view may be kept over an await; remove async, read what you need from it, and call an async local function with that")]
    [InlineData(
        "async Task F(Held d) { var order = d.Message; await Task.Yield(); Use(order); Use(order.Id); }",
        "'order' is a view that is used after an await, which does not compile, because no view may be kept over an await; read it again from 'd.Message' after the await, or read what you need before it")]
    [InlineData(
        "async Task F(Held d) { var note = d.Message.Note; await Task.Yield(); Use(note); }",
        "'note' is a view that is used after an await, which does not compile, because no view may be kept over an await; read what you need before it")]
    [InlineData(
        "async Task F(Held d) { foreach (var line in d.Message.Lines) { await Task.Yield(); } }",
        "'d.Message.Lines' is a view that a loop reads before and after an await, which does not compile, because no view may be kept over an await; copy what the loop needs before it")]
    [InlineData(
        "async Task F(Consumer c) { foreach (var d in c.ReadAll()) { await Task.Yield(); } }",
        "'c.ReadAll()' is a loop with an await in it, which does not compile, because no loop over ReadAll may be kept over an await; write 'await foreach' over ReadAllAsync")]
    public async Task An_error_says_what_to_write(string member, string message)
    {
        var problem = Assert.Single(await new LifetimeSource(member).Problems());

        Assert.Equal(message, problem.GetMessage(CultureInfo.InvariantCulture));
        Assert.Equal(DiagnosticSeverity.Error, problem.Severity);
    }

    [Fact]
    public async Task A_program_without_a_method_is_followed_too()
    {
        const string Program =
            """
            using System.Threading.Tasks;
            using var queue = MessageQueue.Open("orders");
            using var consumer = queue.OpenConsumer<RawMessage>("shipping");
            await foreach (var delivery in consumer.ReadAllAsync())
            {
                var raw = delivery.Message;
                await Task.Yield();
                System.Console.WriteLine(raw.Bytes.Length);
            }
            """;
        var compilation = SourceProject.Of(Program).Compilation;

        var problem = Assert.Single(await AnalyzerTests.Analyze(compilation.WithOptions(compilation.Options.WithOutputKind(OutputKind.ConsoleApplication)), layoutFile: null, new AwaitAnalyzer()));

        Assert.Equal("BMSG0065", problem.Id);
        Assert.Equal(Program.LastIndexOf("raw", StringComparison.Ordinal), problem.Location.SourceSpan.Start);
    }

    [Fact]
    public async Task A_lambda_in_an_attribute_that_is_being_typed_does_not_make_the_analyzer_fail() =>
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of("using System.Threading.Tasks; [X(async () => { await Task."), new AwaitAnalyzer()));

    private static async Task RequireOne(LifetimeSource source)
    {
        var problem = Assert.Single(await source.Problems());

        Assert.Equal("BMSG0065", problem.Id);
        Assert.Equal(source.Place, problem.Location.SourceSpan);
    }
}
