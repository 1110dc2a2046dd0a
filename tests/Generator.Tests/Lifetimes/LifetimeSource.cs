using System.Collections.Immutable;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>
/// A class of a user's program with one member, compiled against the built assemblies. A place in the member may be marked by <c>[|</c> and <c>|]</c>.
/// </summary>
/// <param name="member">The member, or several.</param>
internal sealed class LifetimeSource(string member)
{
    private const string Head =
        """
        using System.Buffers; using System.Diagnostics.CodeAnalysis; using System.IO; using System.Linq; using System.Threading; using System.Threading.Tasks;
        using View = OrderBufferedMessage; using Held = BufferedMessages.Delivery<OrderBufferedMessage>; using Consumer = BufferedMessages.MessageConsumer<OrderBufferedMessage>;
        using Reader = BufferedMessages.MessageReader<OrderBufferedMessage>; using Raw = BufferedMessages.MessageConsumer<BufferedMessages.RawMessage>;
        using Values = BufferedMessages.MessageConsumer<BufferedMessages.ValueMessage<long>>; using Owner = BufferedMessages.PooledBufferedMessage<OrderBufferedMessage>;

        [BufferedMessageSource(GenerateWriter = true)]
        public partial class Order { public int Id { get; set; } public string? Note { get; set; } public int[]? Counts { get; set; } public List<Line>? Lines { get; set; } public List<string>? Tags { get; set; } }
        [BufferedMessageSource] public partial class Line { public string? Name { get; set; } }

        internal enum State { Open, Waiting, Closed, Failed }
        [Flags] internal enum Marks { None, Seen, Closed }

        internal partial class Program
        {
            private static int _seen;

            private static void Use(ReadOnlySpan<byte> bytes) => _seen += bytes.Length;
            private static void Use(View order) => _seen += order.Id;
            private static void Use(BufferedString text) => _seen += text.IsNull ? 1 : 0;
            private static void Use(long value) => _seen += (int)value;
            private static void Use(string? text) => _seen += text?.Length ?? 0;
            private static void Log(string text) => Console.WriteLine(text);
            private static bool Ask() => _seen > 0;


        """;

    private const string Tail =
        """

        }
        """;

    private readonly string _marked = Head + member + Tail;
    private GeneratedProject? _generated;

    /// <summary>Gets the marked place.</summary>
    public TextSpan Place => TextSpan.FromBounds(_marked.IndexOf("[|", StringComparison.Ordinal), _marked.IndexOf("|]", StringComparison.Ordinal) - 2);

    private GeneratedProject Generated =>
        _generated ??= SourceProject.Of(_marked.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal)).Generate();

    /// <summary>Gets the compiler's errors. A view that lives across an await is found during emit, not during binding.</summary>
    public IEnumerable<Diagnostic> Errors() =>
        Generated.Compilation.Emit(Stream.Null).Diagnostics.Where(static problem => problem.Severity == DiagnosticSeverity.Error);

    /// <summary>Gets the diagnostics of the rules for lifetimes and awaits.</summary>
    public async Task<ImmutableArray<Diagnostic>> Problems() =>
        [.. Generated.GeneratorDiagnostics, .. await AnalyzerTests.Analyze(Generated.Compilation, layoutFile: null, new LifetimeAnalyzer(), new AwaitAnalyzer())];

    /// <summary>Requires that the compiler accepts the source, and that one rule rejects it at the marked place.</summary>
    public async Task<Diagnostic> RequireOne(string rule)
    {
        Assert.Empty(Errors());
        var problem = Assert.Single(await Problems());
        Assert.Equal(rule, problem.Id);
        Assert.Equal(Place, problem.Location.SourceSpan);
        return problem;
    }

    /// <summary>Requires that the compiler and the rules accept the source.</summary>
    public async Task RequireNone()
    {
        Assert.Empty(Errors());
        Assert.Empty(await Problems());
    }
}
