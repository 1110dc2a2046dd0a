using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Members of extension blocks, which return, replace or only read the delivery or view that they receive.</summary>
public sealed class ExtensionTests
{
    public static TheoryData<string, string, string> Wrong => new()
    {
        { "BMSG0060", "extension(in Held d) { public View Order => d.Message; }", "void F(Held d) { var order = d.Order; d.Commit(); Use(order); }" },
        { "BMSG0060", "extension(in Held d) { public View Order() => d.Message; }", "void F(Held d) { var order = d.Order(); d.Commit(); Use(order); }" },
        { "BMSG0060", "extension(ref readonly Held d) { public View Order() => d.Message; }", "void F(Held d) { var order = d.Order(); d.Commit(); Use(order); }" },
        { "BMSG0060", "extension(ref readonly Held d) { public void Log() { } }", "void F(Held d) { d.Commit(); d.Log(); Use(d.Message); }" },
        { "BMSG0060", "extension(View order) { public BufferedString Text => order.Note; }", "void F(Held d) { var text = d.Message.Text; d.Commit(); Use(text); }" },
        { "BMSG0062", "extension(in Held d) { public View Order => d.Message; }", "Held _d; View F() => _d.Order;" },
        { "BMSG0062", "extension(in Held d) { public View Order() => d.Message; }", "Held _d; int F() { var order = _d.Order(); return order.Id; }" },
        { "BMSG0062", "extension(in Held d) { public void Read(out View order) => order = d.Message; }", "Held _d; int F() { _d.Read(out var order); return order.Id; }" },
        { "BMSG0062", "extension(View order) { public BufferedString Text => order.Note; }", "Held _d; BufferedString F() => _d.Message.Text;" },
    };

    public static TheoryData<string, string> Right => new()
    {
        { "extension(ref Held d) { public void Next(Consumer c) => c.TryRead(out d); }", "void F(Held d, Consumer c) { Use(d.Message); d.Commit(); d.Next(c); Use(d.Message); d.Commit(); }" },
        { "extension(ref Held d) { public void Next(Consumer c) => c.TryRead(out d); }", "void F(Held d, Consumer c, Consumer e) { Use(d.Message); d.Commit(); d.Next(Program.Ask() ? c : e); Use(d.Message); d.Commit(); }" },
        { "extension(in Held d) { public View Order => d.Message; }", "Held _d; int F(Held d) { var order = d.Order; var id = order.Id; d.Commit(); return id + _d.Order.Id; }" },
        { "extension(scoped in Held d) { public ReadOnlySpan<byte> Kind => \"a\"u8; }", "Held _d; ReadOnlySpan<byte> F(Held d) { var kind = d.Kind; d.Commit(); Use(kind); return _d.Kind; }" },
        { "extension(Held d) { public ReadOnlySpan<byte> Kind => \"a\"u8; }", "Held _d; ReadOnlySpan<byte> F(Held d) { var kind = d.Kind; d.Commit(); Use(kind); return _d.Kind; }" },
        { "extension(scoped View order) { public Span<byte> Write(Span<byte> room) => room; }", "Held _d; Span<byte> F(Held d, Span<byte> room) { var rest = d.Message.Write(room); d.Commit(); Use(rest); return _d.Message.Write(room); }" },
        { "extension(scoped View order) { public ReadOnlySpan<byte> Kind => \"a\"u8; }", "Held _d; ReadOnlySpan<byte> F(Held d) { var kind = d.Message.Kind; d.Commit(); Use(kind); return _d.Message.Kind; }" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task A_view_that_an_extension_member_returns_is_followed(string rule, string extension, string member) =>
        Assert.Equal(rule, Assert.Single(await ProblemsOf(extension, member)).Id);

    [Theory]
    [MemberData(nameof(Right))]
    public async Task Correct_use_of_an_extension_member_is_accepted(string extension, string member) => Assert.Empty(await ProblemsOf(extension, member));

    private static async Task<IReadOnlyList<Diagnostic>> ProblemsOf(string extension, string member)
    {
        var project = SourceProject.Of(
            $$"""
            using View = OrderBufferedMessage; using Held = BufferedMessages.Delivery<OrderBufferedMessage>; using Consumer = BufferedMessages.MessageConsumer<OrderBufferedMessage>;
            [BufferedMessageSource] public partial class Order { public int Id { get; set; } public string? Note { get; set; } }
            public static class Extensions { {{extension}} }
            public class Program { {{member}} static void Use(View order) { } static void Use(BufferedString text) { } static void Use(ReadOnlySpan<byte> bytes) { } public static bool Ask() => true; }
            """,
            new ProjectOptions { LanguageVersion = LanguageVersion.Preview }).Generate();
        Assert.DoesNotContain(project.Compilation.GetDiagnostics(), static problem => problem.Severity == DiagnosticSeverity.Error);
        return await AnalyzerTests.Analyze(project.Compilation, layoutFile: null, new LifetimeAnalyzer());
    }
}
