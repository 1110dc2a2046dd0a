using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Views of deliveries in a field, in an array or behind a reference, where the compiler assumes that they live forever.</summary>
public sealed class ViewOfStoredTests
{
    public static TheoryData<string> Kept =>
    [
        "Held _d; View F() => [|_d.Message|];",
        "Held _d; BufferedString F() { return [|_d.Message|].Note; }",
        "Held _d; ReadOnlySpan<int> F() => [|_d.Message|].Counts;",
        "static Held _d; static View F() => [|_d.Message|];",
        "readonly Held _d; int F() { var order = [|_d.Message|]; return order.Id; }",
        "Held _d; void F() { View order = default; if (Ask()) { order = [|this._d.Message|]; } Use(order); }",
        "Held _d; void F(out View order) => order = [|_d.Message|];",
        "Held _d; void F() { foreach (var line in [|_d.Message|].Lines) { Use(line.Name); } }",
        "Held _d; bool F() => [|_d.Message|] is { Id: 3 } order && order.Note.IsNull;",
        "Held _d; View F() => _d is { [|Message|]: { Id: 3 } order } ? order : default;",
        "Held _d; View F() => _d switch { { [|Message|]: { Id: 3 } order } => order, _ => default };",
        "Held? _d; int F() { switch (_d) { case { [|Message|]: var order }: return order.Id; default: return 0; } }",
        "class Box { public Held D; } View F(Box box) => box is { D: { [|Message|]: var order } } ? order : default;",
        "class Box { public (Held D, int Id) Pair; } View F(Box box) => box.Pair is { D: { [|Message|]: var order } } ? order : default;",
        "class Box { public (Held D, int Id) Pair; } int F(Box box) => box.Pair is ({ [|Message|]: var order }, > 3) ? order.Id : 0;",
        "Held _d; View F() => Ask() ? [|_d.Message|] : default;",
        "Held _d; View F() => _seen switch { 1 => [|_d.Message|], _ => default };",
        "Held _d; View F() => [|_d.Message|] switch { { Id: 3 } order => order, _ => default };",
        "Held _d; int F() { switch ([|_d.Message|]) { case { Id: > 3 } order: return order.Id; default: return 0; } }",
        "Held _d; View F() => Same([|_d.Message|]); View Same(View order) => order;",
        "Held _d; BufferedString F() { [|_d.Properties|].TryGetHeader(\"a\", out var value); return value; }",
        "Held _d; BufferedString F() { var kept = new Kept(); kept.Add([|_d.Message|].Note); return kept.Note; } ref struct Kept { public BufferedString Note; public void Add(BufferedString note) => Note = note; }",
        "Held _d; Func<int> F() => () => { var order = [|_d.Message|]; return order.Id; };",
        "Held[] _all = []; View F() => [|_all[0].Message|];",
        "View F(Held[] all) => [|all[^1].Message|];",
        "View F(Span<Held> all) => [|all[0].Message|];",
        "View F(List<Held> all) { foreach (ref var d in System.Runtime.InteropServices.CollectionsMarshal.AsSpan(all)) { return [|d.Message|]; } return default; }",
        "Held _d; View F() { ref var d = ref _d; return [|d.Message|]; }",
        "Held _d; int F(ref Held d) { ref var e = ref d; e = ref (Ask() ? ref e : ref _d); var order = [|e.Message|]; return order.Id; }",
        "Held _d; View F() => [|Get(ref _d)|]; View Get(ref Held d) => d.Message;",
        "Held _d; View F() => [|Get(in _d)|]; View Get(in Held d) => d.Message;",
        "Held _d; int F() { [|Get(in _d, out var order)|]; return order.Id; } void Get(in Held d, out View order) => order = d.Message;",
        "Held _d; int F() { var kept = [|new Kept(in _d)|]; return kept.Order.Id; } ref struct Kept { public View Order; public Kept(in Held d) => Order = d.Message; }",
        "class Box { public Held D; } View F(Box box) => [|box.D.Message|];",
        "struct Job { public Held D; [UnscopedRef] public View Order => D.Message; } Job _job; int F() { var order = [|_job.Order|]; return order.Id; }",
        "struct Job { public Held D; [UnscopedRef] public bool TryGet(out View order) { order = D.Message; return true; } } Job _job; int F() => [|_job.TryGet(out var order)|] ? order.Id : 0;",
        "class Box { public (Held D, int Id) Pair; } View F(Box box) => [|box.Pair.D.Message|];",
        "BufferedMessages.Delivery<BufferedMessages.ValueMessage<long>> _v; ref readonly long F() => ref [|_v.Message|].Value;",
        "BufferedMessages.Delivery<BufferedMessages.ValueMessage<long>> _v; void F() { ref readonly var value = ref [|_v.Message|].Value; Use(value); }",
        "unsafe View F(Held* d) => [|d->Message|];",
        "unsafe View F(Held* d) => [|(*d).Message|];",
    ];

    public static TheoryData<string> UsedUp =>
    [
        "Held _d; int F() => _d.Message.Id;",
        "Held _d; string? F() => _d.Message.Note;",
        "Held _d; Order F() => _d.Message.ToOrder();",
        "Held _d; bool F() => _d.Message.Note == \"rush\" || _d.Message is { Id: 3 };",
        "Held _d; void F() { Use(_d.Message); Log($\"{_d.Message.Note}\"); }",
        "Held _d; int F() => Ask() ? _d.Message.Lines.Count : 3;",
        "Held _d; int F(Held d) => (Ask() ? _d.Message : d.Message).Id;",
        "Held _d; void F() { Use(Ask() ? _d.Message : default); Use(_seen switch { 1 => _d.Message, _ => default }); }",
        "Held _d; int F() => _d.Message switch { { Id: 3, Note.IsNull: true } => 1, _ => 2 };",
        "Held _d; void F() { switch (_d.Message) { case { Id: 3 }: Log(\"\"); break; } }",
        "Held _d; bool F() => _d is { Message: { Id: 3, Note.IsNull: true } } and not { Message.Id: 4 };",
        "Held _d; int F() { var d = _d; return d is { Message: { Id: 3 } order } ? order.Id : 0; }",
        "View F(ref Held d) => d is { Message: var order } ? order : default;",
        "View F(in Held d) { if (d is { Message: { Id: 3 } order }) { return order; } return default; }",
        "View F(ref (Held D, int Id) pair) => pair is ({ Message: var order }, > 3) ? order : default;",
        "int F(Held d, int n) => (d, n) switch { ({ Message: var order }, 1) => order.Id, _ => 0 };",
        "void F(Held d, out int id) => id = d is { Message: var order } ? order.Id : 0;",
        "View F(Held d, View other) => d is { Message: var order } && order.Id == other.Id ? other : default;",
        "View F(Held d, View other) => d is { Message: var order } ? Pick(order, other) : default; View Pick(scoped View key, View other) => other;",
        "Held _d; int[] F() => [.. _d.Message.Counts];",
        "Held _d; void F() => _ = _d.Message;",
        "Held _d; void F() => Log(nameof(_d.Message) + nameof(_d.Message.Note));",
        "Held _d; bool F() => _d.Properties.TryGetHeader(\"a\", out _) && _d.Message.Lines[0].Name == \"b\";",
        "Held _d; bool F(Kept kept) { kept.Add(_d.Message.Note); return kept.Has(_d.Message.Note); } ref struct Kept { public int Count; public void Add(scoped BufferedString note) => Count++; public readonly bool Has(BufferedString note) => note.IsNull; }",
        "Held _d; void F(Kept kept, Span<byte> rest) { kept.Add(in _d); Write(in _d, ref rest); } void Write(in Held d, ref Span<byte> rest) => rest = rest[d.Message.Id..]; ref struct Kept { public int Count; public void Add(in Held d) => Count += d.Message.Id; }",
        "BufferedMessages.Delivery<BufferedMessages.ValueMessage<long>> _v; long F() => _v.Message.Value;",
        "BufferedMessages.Delivery<BufferedMessages.ValueMessage<long>> _v; void F(Sum sum, Span<byte> room) { sum.Add(in _v.Message.Value); var text = Format(in _v.Message.Value, room); Use(text); } ReadOnlySpan<byte> Format(scoped in long value, Span<byte> room) => room[..(int)value]; ref struct Sum { public long All; public void Add(in long value) => All += value; }",
        "Held _d; int F() { var d = _d; var order = d.Message; return order.Id; }",
        "List<Held> _all = []; int F() { var sum = 0; foreach (var d in _all) { var order = d.Message; sum += order.Id; } return sum; }",
        "Dictionary<int, Held> _all = []; int F() { if (!_all.TryGetValue(1, out var d)) { return 0; } var order = d.Message; return order.Id; }",
        "View F(ref Held d) => d.Message;",
        "View F(in Held d) { var order = d.Message; return order; }",
        "int F(Held d) { ref var same = ref d; var order = same.Message; return order.Id; }",
        "int F(ref Held d, ref Held e) { ref var one = ref d; ref var two = ref e; ref var other = ref one; one = ref two; two = ref other; var order = one.Message; return order.Id; }",
        "struct Pair { public Held D; [UnscopedRef] public View Message => D.Message; }",
        "struct Job { public Held D; [UnscopedRef] public ref Held Own => ref D; [UnscopedRef] public View Order => D.Message; } Job _job; int F(Job job) { ref var d = ref _job.Own; var order = job.Order; return order.Id + _job.Order.Id + d.Message.Id; }",
        "int F(Held d) => Get(d).Id; View Get(in Held d) => d.Message;",
        "Held _d; void F() => Get(in _d, out _); void Get(in Held d, out View order) => order = d.Message;",
        "Held _d; bool F() => _d.Equals(default) || _d.IsRedelivery;",
        "Held _d; void F() { ref var d = ref Get(ref _d); Use(d.Message); } ref Held Get(ref Held d) => ref d;",
    ];

    /// <summary>Views that a pattern takes from a value of the method, and that leave it. The compiler rejects them without the pattern.</summary>
    public static TheoryData<string> Returned =>
    [
        "View F(Held d) => d is { [|Message|]: var order } ? order : default;",
        "View F(Held d) { if (d is not { [|Message|]: { Id: 3 } order }) { return default; } return order; }",
        "BufferedString F(Held d) => d switch { { [|Message|]: { Id: 3, Note: var note } } => note, _ => default };",
        "BufferedString F(Held d) { switch (d) { case { [|Message|].Note: var note }: return note; default: return default; } }",
        "ReadOnlySpan<int> F(Held? d) => d is { [|Message|]: var order } ? order.Counts : default;",
        "void F(Held d, out View order) => order = d is { [|Message|]: var own } ? own : default;",
        "void F(Held d, ref View order) { if (d is { [|Message|]: var own }) { order = own; } }",
        "View F(Owner owner) => owner is { [|Message|]: var order } ? order : default;",
        "record Job(Held D, int Id); View F(Job job) => job is { [|D.Message|]: var order } ? order : default;",
        "record Job(Held D, int Id); View F(Job job) => job is ({ [|Message|]: var order }, 3) ? order : default;",
        "struct Job { public Held D; } View F(Job job) => job is { D: { [|Message|]: var order } } ? order : default;",
        "View F((Held D, int Id) pair) => pair is ({ [|Message|]: var order }, 3) ? order : default;",
        "View F(Held d, int n) => (d, n) switch { ({ [|Message|]: var order }, 1) => order, _ => default };",
        "View F(Held d) { return Own(d); View Own(Held d) => d is { [|Message|]: var order } ? order : default; }",
    ];

    [Theory]
    [MemberData(nameof(Returned))]
    public async Task A_view_that_a_pattern_takes_from_a_local_and_the_method_returns_is_refused(string member) => await new LifetimeSource(member).RequireOne("BMSG0062");

    [Theory]
    [MemberData(nameof(Kept))]
    public async Task A_view_that_is_kept_is_refused(string member) => await new LifetimeSource(member).RequireOne("BMSG0062");

    [Theory]
    [MemberData(nameof(UsedUp))]
    public Task A_view_that_is_used_up_or_taken_of_a_local_is_accepted(string member) => new LifetimeSource(member).RequireNone();

    [Fact]
    public async Task Properties_of_a_handlers_context_that_are_kept_are_refused()
    {
        var project = SourceProject.Of(
            """
            namespace BufferedMessages.Hosting { public readonly struct MessageContext { [System.Diagnostics.CodeAnalysis.UnscopedRef] public DeliveryProperties Properties => default; } }
            public sealed class Handler { BufferedMessages.Hosting.MessageContext _context; DeliveryProperties Kept() => _context.Properties; int Used() => _context.Properties.Attempts; }
            """);

        var problem = Assert.Single(await AnalyzerTests.Analyze(project, new LifetimeAnalyzer()));

        Assert.Equal("BMSG0062", problem.Id);
    }
}
