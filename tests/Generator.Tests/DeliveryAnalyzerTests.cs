using System.Globalization;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The rules for deliveries, claims and comparisons: each body of a method breaks one where it is marked, or none.</summary>
public sealed class DeliveryAnalyzerTests
{
    private const string Head =
        """
        [BufferedMessageSource] public partial class Order { public string? Note { get; set; } public int Id { get; set; } }

        internal static class Program
        {
            private static string? _kept;

            internal static void Use(ReadOnlySpan<byte> bytes) => _kept = bytes.ToString();

            internal static void Take(MessageClaim claim) => claim.Dispose();

            internal static void Run(MessageProducer producer, MessageConsumer<RawMessage> raw, MessageConsumer<OrderBufferedMessage> consumer, MessageConsumer<ValueMessage<int>> values, PooledBufferedMessage<OrderBufferedMessage> owner, string? text)
            {

        """;

    private const string Tail =
        """

            }
        }
        """;

    public static TheoryData<string, string> Broken => new()
    {
        { "BMSG0060", "consumer.TryRead(out var delivery); delivery.Commit(); _kept = [|delivery.Message|].Note;" },
        { "BMSG0060", "consumer.TryRead(out var delivery); var order = delivery.Message; delivery.Commit(); _kept = [|order|].Note;" },
        { "BMSG0060", "consumer.TryRead(out var delivery); var note = delivery.Message.Note; delivery.Dispose(); if (text is null) { _kept = [|note|]; }" },
        { "BMSG0060", "raw.TryRead(out var delivery); var bytes = delivery.Message.Bytes; var part = bytes[1..]; delivery.Commit(); Use([|part|]);" },
        { "BMSG0060", "using var claim = producer.Claim(8); claim.Commit(8); [|claim.Span|][0] = 1;" },
        { "BMSG0060", "values.TryRead(out var delivery); ref readonly var value = ref delivery.Message.Value; delivery.Commit(); _kept = [|value|].ToString();" },
        { "BMSG0060", "var order = owner.Message; owner.Dispose(); _kept = [|order|].Note;" },
        { "BMSG0060", "consumer.TryRead(out var delivery); delivery.Commit(); [|delivery.Commit()|];" },
        { "BMSG0061", "var [|claim = producer.Claim(8)|]; claim.Commit(8);" },
        { "BMSG0061", "if (producer.TryClaim(8, out var [|claim|])) { claim.Commit(8); }" },
        { "BMSG0061", "[|producer.Claim(8)|];" },
        { "BMSG0061", "if (consumer.TryRead(out var [|delivery|])) { _kept = delivery.Message.Note; }" },
        { "BMSG0061", "raw.TryRead([|out _|]);" },
        { "BMSG0064", "_kept = [|owner.Message.Note.ToString() == \"rush\"|] ? text : null;" },
        { "BMSG0064", "_kept = [|text != owner.Message.Note.ToString()|] ? text : null;" },
        { "BMSG0064", "_kept = [|string.Equals(owner.Message.Note, text)|] ? text : null;" },
        { "BMSG0064", "_kept = [|\"rush\".Equals(owner.Message.Note)|] ? text : null;" },
    };

    public static TheoryData<string> Fine =>
    [
        "while (consumer.TryRead(out var delivery)) { _kept = delivery.Message.Note; delivery.Commit(); }",
        "while (consumer.TryRead(out var delivery)) { using (delivery) { _kept = delivery.Message.Note; delivery.Commit(); } }",
        "Delivery<OrderBufferedMessage> delivery; while (consumer.TryRead(out delivery)) { delivery.Commit(); }",
        "consumer.TryRead(out var delivery); delivery.Commit(); consumer.TryRead(out delivery); _kept = delivery.Message.Note; delivery.Commit();",
        "consumer.TryRead(out var delivery); var id = delivery.Message.Id; var note = delivery.Message.Note.ToString(); delivery.Commit(); _kept = note + id;",
        "consumer.TryRead(out var delivery); if (text is null) { delivery.Dispose(); return; } _kept = delivery.Message.Note; delivery.Commit(); delivery.Dispose();",
        "using var claim = producer.Claim(8); claim.Span.Clear(); claim.Commit(8);",
        "using (var claim = producer.Claim(8)) { claim.Commit(8); }",
        "if (producer.TryClaim(8, out var claim)) { using (claim) { claim.Commit(8); } }",
        "var claim = producer.Claim(8); try { claim.Commit(8); } finally { claim.Dispose(); }",
        "var claim = producer.Claim(8); Take(claim);",
        "_kept = owner.Message.Note == \"rush\" || owner.Message.Note == text || owner.Message.Note == \"rush\"u8 ? text : null;",
        "_kept = string.Equals(owner.Message.Note, text, StringComparison.OrdinalIgnoreCase) ? text : null;",
        "_kept = owner.Message.Id.ToString(CultureInfo.InvariantCulture) == text ? text : null;",
    ];

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task A_broken_rule_is_reported_once_where_it_is_broken(string rule, string body)
    {
        var marked = Head + body + Tail;
        var source = marked.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal);
        var project = SourceProject.Of(source);

        var problem = Assert.Single(await AnalyzerTests.Analyze(project));

        Assert.Empty(Errors(project));
        Assert.Equal(rule, problem.Id);
        Assert.Equal(marked.IndexOf("[|", StringComparison.Ordinal), problem.Location.SourceSpan.Start);
        Assert.Equal(marked.IndexOf("|]", StringComparison.Ordinal) - 2, problem.Location.SourceSpan.End);
    }

    [Theory]
    [MemberData(nameof(Fine))]
    public async Task Right_use_is_not_reported(string body)
    {
        var project = SourceProject.Of(Head + body.Replace("CultureInfo", "System.Globalization.CultureInfo", StringComparison.Ordinal) + Tail);

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Empty(Errors(project));
    }

    [Theory]
    [InlineData("producer.Claim(8).Commit(8);")]
    public async Task What_is_used_without_a_name_is_not_looked_at(string body) =>
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of(Head + body + Tail)));

    [Theory]
    [InlineData("consumer.TryRead(out var delivery); delivery.Commit(); _kept = delivery.Message.Note;", "'delivery.Message' is used after 'delivery' was closed, when its bytes may be another message's or gone; use it before 'delivery.Commit', or copy what you need")]
    [InlineData("var claim = producer.Claim(8); claim.Commit(8);", "'claim' is not disposed, so that it holds up what others publish when an exception is thrown; declare it with using")]
    [InlineData("if (consumer.TryRead(out var delivery)) { _kept = delivery.Message.Note; }", "'delivery' is not disposed, so that its message is neither handled nor given back; commit it, or put it into a using statement")]
    [InlineData("producer.TryClaim(8, out _);", "What this call gives is not disposed, so that it holds up what others publish when an exception is thrown; declare it with using")]
    [InlineData("producer.Claim(8);", "What this call gives is not disposed, so that it holds up what others publish when an exception is thrown; declare it with using")]
    [InlineData("_kept = owner.Message.Note.ToString() == text ? text : null;", "A string is made of 'owner.Message.Note' only to compare it; compare the view's string itself, which allocates nothing")]
    public async Task The_message_says_what_why_and_what_to_do(string body, string message) =>
        Assert.Equal(message, Assert.Single(await AnalyzerTests.Analyze(SourceProject.Of(Head + body + Tail))).GetMessage(CultureInfo.InvariantCulture));

    private static IEnumerable<string> Errors(SourceProject project) =>
        project.Generate().Compilation.GetDiagnostics().Where(static problem => problem.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error).Select(static problem => problem.ToString());
}
