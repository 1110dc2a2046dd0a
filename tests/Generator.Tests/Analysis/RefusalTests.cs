using System.Collections.Immutable;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>No message is written or read with wrong ordinals or case numbers: the rules cannot be suppressed, and without analyzers the code throws.</summary>
public sealed class RefusalTests
{
    private const string Probe =
        """
        [BufferedMessageSource] public partial class Basket { public Order? Order { get; set; } }
        public static class Probe
        {
            public static void Size() => new Order().CalculateSize();
            public static void Write() => new Order().Write(new byte[100]);
            public static void WriteAround() => new Basket { Order = new Order() }.Write(new byte[100]);
            public static void View() => new OrderBufferedMessage(new byte[100]);
            public static void ViewAround() => _ = new BasketBufferedMessage(new byte[] { 1, 0, 1, 0, 24, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }).Order;
            public static void Copy() => new BasketBufferedMessage(new byte[] { 1, 0, 1, 0, 24, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }).ToBasket();
            public static void Writer() => new MessageBuilder<OrderBufferedMessageWriter>(new byte[100]);
        }
        """;

    private const string UnionProbe =
        """
        public static class Probe
        {
            public static void Size() => ((IBufferedMessageSource<IShape>)new Circle()).CalculateSize();
            public static void Write() => ((IBufferedMessageSource<IShape>)new Circle()).Write(new byte[100]);
            public static void View() => new ShapeBufferedMessage(new byte[100]);
        }
        """;

    public static TheoryData<string, string> Broken => new()
    {
        { "BMSG0025", Ordinals("[BufferedMember(0)]", "[BufferedMember(0)]") },
        { "BMSG0026", Ordinals("[BufferedMember(0)]", "") },
        { "BMSG0027", Ordinals("[BufferedMember(0)]", "[BufferedMember(2)]") },
        { "BMSG0042", Cases("BufferedCase<Circle>(1)", "BufferedCase<Square>(1)") },
        { "BMSG0043", Cases("BufferedCase<Circle>(1)", "BufferedCase<Square>(0)") },
        { "BMSG0043", Cases("BufferedCase<Circle>(1)", "BufferedCase<Square>(2), BufferedReserved(2)") },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task A_mistake_is_told_once(string rule, string source)
    {
        var project = SourceProject.Of(source);

        Assert.Equal([rule], (await AnalyzerTests.Analyze(project)).Select(static problem => problem.Id));
        Assert.DoesNotContain(project.Generate().Problems, static problem => problem.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task A_pragma_does_not_suppress_it(string rule, string source) =>
        Assert.Equal([rule], (await AnalyzerTests.Analyze(SourceProject.Of($"#pragma warning disable {rule}\n{source}"))).Select(static problem => problem.Id));

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task A_setting_of_the_project_does_not_suppress_it(string rule, string source)
    {
        var compilation = SourceProject.Of(source).Generate().Compilation;
        var options = compilation.Options.WithSpecificDiagnosticOptions(ImmutableDictionary<string, ReportDiagnostic>.Empty.Add(rule, ReportDiagnostic.Suppress));

        var problem = Assert.Single(await AnalyzerTests.Analyze(compilation.WithOptions(options), layoutFile: null));

        Assert.Equal((rule, DiagnosticSeverity.Error, false), (problem.Id, problem.Severity, problem.IsSuppressed));
    }

    [Theory]
    [MemberData(nameof(Broken))]
    public void Without_analyzers_the_code_throws(string rule, string source)
    {
        var probe = SourceProject.Of(source + (source.Contains("IShape", StringComparison.Ordinal) ? UnionProbe : Probe)).Generate().Load().GetType("Probe", throwOnError: true)!;

        Assert.All(probe.GetMethods().Where(static method => method.IsStatic), method =>
        {
            var thrown = Assert.ThrowsAny<Exception>(method.CreateDelegate<Action>());
            var refusal = Assert.IsType<NotSupportedException>(thrown is TypeInitializationException ? thrown.InnerException : thrown);
            Assert.StartsWith(rule, refusal.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Every_rule_that_cannot_be_suppressed_is_tested() =>
        Assert.Equal(
            Broken.Select(static row => (string)row[0]).Distinct(StringComparer.Ordinal),
            AllRules.Descriptors.Where(static rule => rule.CustomTags.Contains(WellKnownDiagnosticTags.NotConfigurable, StringComparer.Ordinal)).Select(static rule => rule.Id));

    private static string Ordinals(string first, string second) =>
        $$"""[BufferedMessageSource(GenerateWriter = true)] public partial class Order { {{first}} public int Id { get; set; } {{second}} public int Count { get; set; } }""";

    private static string Cases(string first, string second) =>
        $$"""
        [BufferedMessageUnion, {{first}}, {{second}}] public partial interface IShape;
        [BufferedMessageSource] public partial class Circle : IShape { public int Id; }
        [BufferedMessageSource] public partial class Square : IShape { public int Id; }
        """;
}
