using BufferedMessages.Caching;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>
/// Views, spans and strings that would outlive their bytes. Each case is a member of a class; the compiler rejects it at the marked place, with the given number.
/// Cases that the compiler does not detect throw an exception, which the tests of the owners check.
/// </summary>
public sealed class LifetimeTests
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

    private static readonly MetadataReference CachingAssembly = MetadataReference.CreateFromFile(typeof(MessageCache).Assembly.Location);

    private const string Head =
        """
        using System.IO; using System.Threading.Tasks; using BufferedMessages.Caching;
        using View = OrderBufferedMessage; using Owner = BufferedMessages.PooledBufferedMessage<OrderBufferedMessage>; using Cache = BufferedMessages.Caching.MessageCache<int>;

        [BufferedMessageSource] public partial class Order { public int Id { get; set; } public string? Note { get; set; } public int[]? Counts { get; set; } }

        internal sealed class Program
        {

        """;

    private const string Tail =
        """

        }
        """;

    /// <summary>A view that leaves its scope, for every kind of owner.</summary>
    public static TheoryData<string, string> Views => new()
    {
        { InField, "[|View|] _view;" },
        { InField, "[|BufferedString|] _note;" },
        { AsTypeArgument, "List<View> [|F|]() => [];" },
        { Boxed, "object F(Owner owner) => [|owner.Message|];" },
        { ReturnedView, "View F() { ReadOnlySpan<byte> bytes = stackalloc byte[100]; var view = BufferedMessage.Create<View>(bytes); return [|view|]; }" },
    };

    /// <summary>Messages that were loaded, or taken out of a stream.</summary>
    public static TheoryData<string, string> Owners => new()
    {
        { Returned, "View F(string path) { using var owner = BufferedMessage.Load<View>(path); return [|owner|].Message; }" },
        { Returned, "BufferedString F(string path) { using var owner = BufferedMessage.Load<View>(path); return [|owner|].Message.Note; }" },
        { Returned, "ReadOnlySpan<int> F(string path) { using var owner = BufferedMessage.Load<View>(path); return [|owner|].Message.Counts; }" },
        { Returned, "View F(PooledStream stream) { using var owner = stream.DetachMessage<View>(); return [|owner|].Message; }" },
        { Returned, "int F(string path) { View kept = default; using (var owner = BufferedMessage.Load<View>(path)) { kept = [|owner|].Message; } return kept.Id; }" },
        { ReturnedView, "View F(string path) { using var owner = BufferedMessage.Load<View>(path); var view = owner.Message; return [|view|]; }" },
        { ReturnedParameter, "View F(Owner owner) => [|owner|].Message;" },
        { ReturnedOfNothing, "View F(string path) => [|BufferedMessage.Load<View>(path)|].Message;" },
        { ReturnedOfNothing, "View F(List<Owner> owners) => [|owners[0]|].Message;" },
        { InLambda, "Func<int> F(Owner owner) { var view = owner.Message; return () => [|view|].Id; }" },
        { AcrossAwait, "async Task<int> F(Owner owner) { var view = owner.Message; await Task.Yield(); return [|view|].Id; }" },
        { AcrossAwait, "IEnumerable<int> F(Owner owner) { var view = owner.Message; yield return 1; yield return [|view|].Id; }" },
    };

    /// <summary>Messages in a pooled stream.</summary>
    public static TheoryData<string, string> Streams => new()
    {
        { Returned, "View F(PooledStream stream) { var message = stream.ReadMessage<View>(); return [|message|].Message; }" },
        { Returned, "View F() { using var stream = BufferPool.Shared.GetStream(); var message = stream.ReadMessage<View>(); return [|message|].Message; }" },
        { Returned, "int F(PooledStream stream) { View kept = default; for (var i = 0; i < 2; i++) { var message = stream.ReadMessage<View>(); kept = [|message|].Message; } return kept.Id; }" },
        { ReturnedOfNothing, "View F(PooledStream stream) => [|stream.ReadMessage<View>()|].Message;" },
        { ReturnedOfNothing, "ReadOnlySpan<byte> F(PooledStream stream) => [|stream.ReadMessage<View>()|].Bytes;" },
        { InLambda, "Func<int> F(PooledStream stream) { var message = stream.ReadMessage<View>(); var view = message.Message; return () => [|view|].Id; }" },
        { AcrossAwait, "async Task<int> F(PooledStream stream) { var message = stream.ReadMessage<View>(); var view = message.Message; await Task.Yield(); return [|view|].Id; }" },
    };

    /// <summary>Entries of a cache.</summary>
    public static TheoryData<string, string> Caches => new()
    {
        { Returned, "View F(Cache cache) { if (cache.TryGet<View>(1, out var lease)) { using (lease) { return [|lease|].Message; } } return default; }" },
        { Returned, "BufferedString F(Cache cache) { if (cache.TryGet<View>(1, out var lease)) { using (lease) { return [|lease|].Message.Note; } } return default; }" },
        { Returned, "ReadOnlySpan<byte> F(Cache cache) { if (cache.TryGet(1, out var lease)) { using (lease) { return [|lease|].Value; } } return default; }" },
        { Returned, "int F(Cache cache) { View kept = default; if (cache.TryGet<View>(1, out var lease)) { using (lease) { kept = [|lease|].Message; } } return kept.Id; }" },
        { Returned, "ReadOnlySpan<byte> F(Cache cache) { foreach (var entry in cache) { return [|entry|].Value; } return default; }" },
        { Returned, "View F(Cache cache) { foreach (var entry in cache) { return [|entry|].GetMessage<View>(); } return default; }" },
        { Returned, "int F(Cache cache) { ReadOnlySpan<byte> kept = default; foreach (var entry in cache) { kept = [|entry|].Value; } return kept.Length; }" },
        { AsTypeArgument, "bool F(Cache cache) => cache.[|TryGet<View, View>|](1, view => view, out _);" },
        { InLambda, "int F(Cache cache) { View kept = default; cache.GetMany<View, int>([1], 0, (key, view, state) => [|kept|] = view); return kept.Id; }" },
        { InLambda, "int F(Cache cache) { ReadOnlySpan<byte> kept = default; cache.GetMany([1], 0, (key, value, state) => [|kept|] = value); return kept.Length; }" },
        { AcrossAwait, "async Task<int> F(Cache cache) { cache.TryGet(1, out var lease); await Task.Yield(); return [|lease|].Value.Length; }" },
        { AcrossAwait, "async Task<int> F(Cache cache) { var sum = 0; foreach (var entry in cache) { await Task.Yield(); sum += [|entry|].Value.Length; } return sum; }" },
    };

    /// <summary>Correct use.</summary>
    public static TheoryData<string> Fine =>
    [
        "int F(string path) { using var owner = BufferedMessage.Load<View>(path); return owner.Message.Id; }",
        "string? F(string path) { using var owner = BufferedMessage.Load<View>(path); var view = owner.Message; return view.Note; }",
        "int F(ref Owner owner) { var view = owner.Message; return view.Id; }",
        "View F(ref Owner owner) => owner.Message;",
        "async Task<int> F(string path) { using var owner = await BufferedMessage.LoadAsync<View>(path); var id = owner.Message.Id; await Task.Yield(); return id + owner.Message.Id; }",
        "Owner _owner; int F() => _owner.Message.Id;",
        "List<Owner> _owners = []; int F() { var sum = 0; foreach (var owner in _owners) { sum += owner.Message.Id; } return sum; }",
        "Dictionary<int, Owner> _owners = []; int F() => _owners.TryGetValue(1, out var owner) ? owner.Message.Id : 0;",
        "async Task<int> F(PooledStream stream) { var message = stream.ReadMessage<View>(); await Task.Yield(); return message.Message.Id; }",
        "int F(PooledStream stream) => stream.ReadMessage<View>().Message.Id;",
        "string? F(Cache cache) { if (!cache.TryGet<View>(1, out var lease)) { return null; } using (lease) { var view = lease.Message; return view.Note; } }",
        "int F(Cache cache) { var sum = 0; foreach (var entry in cache) { sum += entry.IsMessage<View>() ? entry.GetMessage<View>().Id : entry.Value.Length; } return sum; }",
        "Order? F(Cache cache) => cache.TryGet<View, Order>(1, view => view.ToOrder(), out var order) ? order : null;",
    ];

    /// <summary>Wrong use that the compiler does not detect: it throws an exception, or reads memory that still exists.</summary>
    public static TheoryData<string> Unseen =>
    [
        "Owner _owner; View F() => _owner.Message;",
        "StreamMessage<View> _message; View F() => _message.Message;",
        "int F(Owner owner) { var view = owner.Message; owner.Dispose(); return view.Id; }",
        "int F(PooledStream stream) { var message = stream.ReadMessage<View>(); var view = message.Message; stream.SetLength(0); return view.Id; }",
        "int F(Cache cache) { cache.TryGet<View>(1, out var lease); var view = lease.Message; lease.Dispose(); return view.Id; }",
        "int F(Cache cache) { CacheEntry<int> kept = default; foreach (var entry in cache) { kept = entry; } return kept.Value.Length; }",
        "ReadOnlySpan<byte> F(Owner owner) { using (owner) { return owner.Bytes.Span; } }",
    ];

    [Theory]
    [MemberData(nameof(Views))]
    [MemberData(nameof(Owners))]
    [MemberData(nameof(Streams))]
    [MemberData(nameof(Caches))]
    public void The_compiler_refuses_what_would_outlive_its_bytes(string error, string member)
    {
        var marked = Head + member + Tail;

        var place = TextSpan.FromBounds(marked.IndexOf("[|", StringComparison.Ordinal), marked.IndexOf("|]", StringComparison.Ordinal) - 2);

        var problems = Errors(marked.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal)).ToList();

        Assert.Contains(problems, problem => problem.Location.SourceSpan == place);
        Assert.All(problems, problem => Assert.Equal(error, problem.Id));
    }

    [Theory]
    [MemberData(nameof(Fine))]
    [MemberData(nameof(Unseen))]
    public void The_compiler_accepts_the_rest(string member) => Assert.Empty(Errors(Head + member + Tail));

    [Theory]
    [MemberData(nameof(Fine))]
    public async Task The_rules_accept_correct_use(string member) => Assert.Empty(await AnalyzerTests.Analyze(ProjectOf(Head + member + Tail), new LifetimeAnalyzer(), new AwaitAnalyzer()));

    [Theory]
    [InlineData("int F(Cache cache) { CacheEntry<int> kept = default; foreach (var entry in cache) { kept = entry; } return [|kept.Value|].Length; }")]
    [InlineData("int F(Cache cache) { CacheEntry<int> kept = default; var sum = 0; foreach (var entry in cache) { sum += [|kept.Value|].Length; kept = entry; } return sum; }")]
    [InlineData("int F(Cache cache) { cache.TryGet<View>(1, out var lease); var view = lease.Message; lease.Dispose(); return [|view|].Id; }")]
    public async Task An_entry_that_is_used_after_its_end_is_refused(string member)
    {
        var marked = Head + member + Tail;
        var project = ProjectOf(marked.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal));

        var problem = Assert.Single(await AnalyzerTests.Analyze(project, new LifetimeAnalyzer()));

        Assert.Equal("BMSG0060", problem.Id);
        Assert.Equal(marked.IndexOf("[|", StringComparison.Ordinal), problem.Location.SourceSpan.Start);
    }

    // A view that lives across an await is found during emit, not during binding.
    private static IEnumerable<Diagnostic> Errors(string source) =>
        ProjectOf(source).Generate().Compilation.Emit(Stream.Null).Diagnostics.Where(static problem => problem.Severity == DiagnosticSeverity.Error);

    private static SourceProject ProjectOf(string source) => SourceProject.Of([new SourceFile("Source.cs", source)], options: null, CachingAssembly);
}
