namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Views of deliveries and claims that would outlive their bytes, and that the compiler itself rejects at the marked place.</summary>
public sealed class CompilerTests
{
    private const string Returned = "CS8168";
    private const string ReturnedView = "CS8352";
    private const string ReturnedParameter = "CS8166";
    private const string ReturnedOfNothing = "CS8156";
    private const string AcrossAwait = "CS4007";
    private const string InLambda = "CS8175";
    private const string InField = "CS8345";
    private const string AsTypeArgument = "CS9244";
    private const string Boxed = "CS0029";

    /// <summary>Out of a loop: returned, assigned to a variable from before it, kept past the next iteration.</summary>
    public static TheoryData<string, string> Loops => new()
    {
        { Returned, "View F(Consumer c) { foreach (var d in c.ReadAll()) { return [|d|].Message; } return default; }" },
        { Returned, "BufferedString F(Consumer c) { foreach (var d in c.ReadAll()) { return [|d|].Message.Note; } return default; }" },
        { Returned, "ReadOnlySpan<int> F(Consumer c) { foreach (var d in c.ReadAll()) { return [|d|].Message.Counts; } return default; }" },
        { Returned, "ReadOnlySpan<byte> F(Raw c) { foreach (var d in c.ReadAll()) { return [|d|].Message.Bytes; } return default; }" },
        { ReturnedView, "View F(Consumer c) { foreach (var d in c.ReadAll()) { var order = d.Message; return [|order|]; } return default; }" },
        { Returned, "int F(Consumer c) { View kept = default; foreach (var d in c.ReadAll()) { kept = [|d|].Message; } return kept.Id; }" },
        { Returned, "void F(Consumer c) { BufferedString kept = default; foreach (var d in c.ReadAll()) { Use(kept); kept = [|d|].Message.Note; } }" },
        { Returned, "View F(Reader r) { foreach (var d in r.ReadAll()) { return [|d|].Message; } return default; }" },
        { Returned, "void F(Consumer c) { View kept = default; while (c.TryRead(out var d)) { kept = [|d|].Message; d.Commit(); } Use(kept); }" },
    };

    /// <summary>Out of the method or block that holds the delivery or the claim.</summary>
    public static TheoryData<string, string> Holders => new()
    {
        { Returned, "View F(Consumer c) { c.TryRead(out var d); return [|d|].Message; }" },
        { ReturnedParameter, "View F(Held d) => [|d|].Message;" },
        { ReturnedOfNothing, "View F(List<Held> all) => [|all[0]|].Message;" },
        { ReturnedOfNothing, "Held D { get; set; } View F() => [|D|].Message;" },
        { Returned, "View F(Consumer c) { c.TryRead(out var d); using (d) { return [|d|].Message; } }" },
        { Returned, "Span<byte> F(MessageProducer p) { using var claim = p.Claim(8); return [|claim|].Span; }" },
        { Returned, "OrderBufferedMessageWriter F(MessageProducer<Order> p) { using var claim = p.Claim<OrderBufferedMessageWriter>(99); return [|claim|].Message; }" },
        { ReturnedView, "View F() { ReadOnlySpan<byte> bytes = stackalloc byte[100]; var order = BufferedMessage.Create<View>(bytes); return [|order|]; }" },
    };

    /// <summary>To places that cannot hold a view.</summary>
    public static TheoryData<string, string> Places => new()
    {
        { InField, "[|View|] _order;" },
        { InField, "[|BufferedString|] _note;" },
        { AsTypeArgument, "List<View> [|F|]() => [];" },
        { Boxed, "object F(Held d) => [|d.Message|];" },
        { InLambda, "Func<int> F(Held d) { var order = d.Message; return () => [|order|].Id; }" },
        { AcrossAwait, "async Task<int> F(Held d) { var order = d.Message; await Task.Yield(); return [|order|].Id; }" },
        { AcrossAwait, "async Task F(Consumer c) { await foreach (var d in c.ReadAllAsync()) { var order = d.Message; await Task.Yield(); Use([|order|]); } }" },
        { AcrossAwait, "IEnumerable<int> F(Held d) { var order = d.Message; yield return 1; yield return [|order|].Id; }" },
    };

    [Theory]
    [MemberData(nameof(Loops))]
    [MemberData(nameof(Holders))]
    [MemberData(nameof(Places))]
    public void The_compiler_refuses_what_would_outlive_its_bytes(string error, string member)
    {
        var source = new LifetimeSource(member);

        var problems = source.Errors().ToList();

        Assert.Contains(problems, problem => problem.Location.SourceSpan == source.Place);
        Assert.All(problems, problem => Assert.Equal(error, problem.Id));
    }

    [Theory]
    [InlineData("ref bool same = ref same;")]
    [InlineData("ref bool one = ref other; ref bool other = ref one;")]
    public async Task References_that_lead_to_themselves_do_not_end_the_analysis(string references)
    {
        var source = new LifetimeSource($"void F(Consumer c) {{ c.TryRead(out var d); {references} {references.Split(' ')[2]} = true; d.Commit(); }}");

        Assert.NotEmpty(source.Errors());
        Assert.DoesNotContain(await source.Problems(), static problem => problem.Id == "AD0001");
    }
}
