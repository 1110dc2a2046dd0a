using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Claims that are never disposed, and deliveries that are never committed, abandoned, disposed or passed on.</summary>
public sealed class NotDisposedTests
{
    public static TheoryData<string> LeftOpen =>
    [
        "void F(MessageProducer p) { var [|claim = p.Claim(8)|]; claim.Commit(8); }",
        "void F(MessageProducer p) { if (p.TryClaim(8, out var [|claim|])) { claim.Commit(8); } }",
        "void F(MessageProducer p) { [|p.Claim(8)|]; }",
        "void F(MessageProducer p) { var [|batch = p.ClaimBatch(8)|]; batch.TryAdd([]); batch.Publish(); }",
        "void F(MessageProducer p) { if (p.TryClaimBatch(8, out var [|batch|])) { batch.Publish(); } }",
        "void F(Consumer c) { if (c.TryRead(out var [|d|])) { Use(d.Message); } }",
        "void F(Consumer c) { Held d; if (c.TryRead(out [|d|])) { Use(d.Position); } }",
        "void F(Consumer c) { if (c.TryRead(out var [|d|]) && d is { Message: { Id: 3 } order }) { Use(order); } }",
        "void F(Consumer c) { c.TryRead([|out _|]); }",
        "async Task F(Consumer c) { var [|d = await c.ReadAsync()|]; Use(d.Message); }",
        "async Task F(Consumer c) { var [|d = await c.ReadAsync().ConfigureAwait(false)|]; Use(d.Message.Id); }",
        "async Task F(Consumer c) { [|await c.ReadAsync()|]; }",
        "async Task F(Consumer c) { Held? [|d = await c.ReadAsync()|]; Use(d.Value.Message); }",
        "async Task F(Consumer c) { Held? d; [|d|] = await c.ReadAsync(); if (d is null || d == null || d is not null && d.HasValue) { Use(d.GetValueOrDefault().Position); } }",
        "async Task F(Consumer c) { Held? [|d = Ask() ? await c.ReadAsync() : null|]; if (d != null) { Use(d.Value.Message.Id); } }",
        "async Task F(Consumer c) { var ([|d|], n) = (await c.ReadAsync(), 1); Use(d.Message.Id + n); }",
        "async Task F(Consumer c) { (Held? [|d|], long n) = (await c.ReadAsync(), 1); Use(d.Value.Position + n); }",
        "async Task F(Consumer c) { Held d; (d, var [|e|]) = (await c.ReadAsync(), await c.ReadAsync()); Use(e.Message); d.Commit(); }",
        "async Task F(Consumer c) { ([|_|], var n) = (await c.ReadAsync(), 1); Use(n); }",
    ];

    public static TheoryData<string> Closed =>
    [
        "void F(MessageProducer p) { using (var claim = p.Claim(8)) { claim.Commit(8); } }",
        "void F(MessageProducer p) { using var batch = p.ClaimBatch(8); batch.TryAdd([]); batch.Publish(); }",
        "void F(MessageProducer p) { var batch = p.ClaimBatch(8); try { batch.Publish(); } finally { batch.Dispose(); } }",
        "void F(MessageProducer p) { if (p.TryClaim(8, out var claim)) { using (claim) { claim.Commit(8); } } }",
        "void F(MessageProducer p) { var claim = p.Claim(8); try { claim.Commit(8); } finally { claim.Dispose(); } }",
        "void F(MessageProducer p) { var claim = p.Claim(8); Take(claim); } void Take(MessageClaim claim) => claim.Dispose();",
        "void F(Consumer c) { if (c.TryRead(out var d)) { d.Abandon(); } }",
        "void F(Consumer c) { if (c.TryRead(out var d)) { d.Dispose(); } }",
        "void F(Consumer c) { if (c.TryRead(out var d) && d is { IsRedelivery: true } again) { again.Abandon(); } }",
        "async Task F(Consumer c) { using var d = await c.ReadAsync(); Use(d.Message); }",
        "async Task<Held> F(Consumer c) { var d = await c.ReadAsync(); return d; }",
        "Task<Held> F(Consumer c) => c.ReadAsync().AsTask();",
        "async Task F(Consumer c) { using Held? d = Ask() ? await c.ReadAsync() : null; Use(d?.Position ?? 0); }",
        "async Task F(Consumer c) { Held? d = await c.ReadAsync(); d.Value.Commit(); }",
        "async Task F(Consumer c) { Held? d = await c.ReadAsync(); d.GetValueOrDefault().Commit(); }",
        "async Task F(Consumer c) { Held? d = null; try { d = await c.ReadAsync(); Use(d.Value.Message); } finally { d?.Dispose(); } }",
        "async Task F(Consumer c) { Held? d = await c.ReadAsync(); if (d is { } open) { open.Commit(); } }",
        "async Task F(Consumer c) { Held? d = Ask() ? await c.ReadAsync() : null; if (d is not { } open) { return; } using (open) { Use(open.Message); } }",
        "async Task F(Consumer c) { Held? d = await c.ReadAsync(); Take(d.Value); } void Take(Held d) => d.Commit();",
        "async Task<Held?> F(Consumer c) { Held? d = await c.ReadAsync(); return d; }",
        "async Task F(Consumer c) { var (d, n) = (await c.ReadAsync(), 1); Use(n); d.Commit(); }",
        "async Task F(Consumer c) { Held d; Held last = default; (d, last) = (await c.ReadAsync(), last); last = d; last.Commit(); }",
        "async Task F(Consumer c) { var pair = (await c.ReadAsync(), 1); Use(pair.Item1.Message); pair.Item1.Commit(); }",
        "Held _last; void F(Consumer c) { if (c.TryRead(out var d)) { _last = d; } }",
        "void F(Consumer c, List<Held> open) { if (c.TryRead(out var d)) { open.Add(d); } }",
        "void F(Consumer c, List<(Held, int)> open) { if (c.TryRead(out var d)) { var pair = (d, 1); open.Add(pair); } }",
        "void F(Consumer c) { if (c.TryRead(out var d)) { Task.Run(() => d.Commit()); } }",
        "void F(Consumer c) { foreach (var d in c.ReadAll()) { Use(d.Message); } }",
        "async Task F(Consumer c) { await foreach (var d in c.ReadAllAsync()) { Use(d.Message); } }",
        "void F(Dictionary<int, Held> all) { if (all.TryGetValue(1, out var d)) { Use(d.Message); } }",
        "async Task F(Task<Held> next) { var d = await next; Use(d.Message); }",
        "void F(Reader r) { while (r.TryRead(out var d)) { Use(d.Message); } }",
        "void F(Consumer c) { long last = 0; while (c.TryRead(out var d)) { Use(d.Message); last = d.Position; } c.CommitThrough(last); }",
        "class G(Consumer c) { long _last; void Read() { if (c.TryRead(out var d)) { Use(d.Message); _last = d.Position; } } void Done() => c.CommitThrough(_last); }",
    ];

    [Theory]
    [MemberData(nameof(LeftOpen))]
    public async Task An_object_that_is_left_open_is_reported(string member) => await new LifetimeSource(member).RequireOne("BMSG0061");

    [Theory]
    [MemberData(nameof(Closed))]
    public Task An_object_that_is_closed_or_handed_on_is_not_reported(string member) => new LifetimeSource(member).RequireNone();

    [Fact]
    public async Task A_deconstruction_with_fewer_variables_than_values_is_accepted_while_it_is_typed() =>
        Assert.Empty(await new LifetimeSource("async Task F(Consumer c) { (var n, var m) = (1, 2, await c.ReadAsync()); }").Problems());

    [Fact]
    public async Task An_object_that_an_extension_member_receives_is_not_reported()
    {
        var project = SourceProject.Of(
            "public static class Extensions { extension(MessageClaim claim) { public void Complete() => claim.Dispose(); } } public static class Program { public static void Run(MessageProducer producer) { var claim = producer.Claim(8); claim.Complete(); } }",
            new ProjectOptions { LanguageVersion = LanguageVersion.Preview });

        Assert.DoesNotContain(project.Compilation.GetDiagnostics(), static problem => problem.Severity == DiagnosticSeverity.Error);
        Assert.Empty(await AnalyzerTests.Analyze(project, new LifetimeAnalyzer()));
    }

    [Theory]
    [InlineData("void F(MessageProducer p) => p.Claim(8).Commit(8);")]
    [InlineData("async Task F(Consumer c) => Use((await c.ReadAsync()).Message.Id);")]
    public Task An_object_that_is_used_without_a_name_is_not_looked_at(string member) => new LifetimeSource(member).RequireNone();
}
