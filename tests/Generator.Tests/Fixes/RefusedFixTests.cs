using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>Code for which a fix would be wrong: it would not compile, or do something different.</summary>
public sealed class RefusedFixTests
{
    [Theory]
    [InlineData(typeof(SetViewNameCodeFix), "BMSG0006", "[BufferedMessageSource] public partial class Order { public int Id; public bool IsNull { get; set; } }")]
    [InlineData(typeof(SetViewNameCodeFix), "BMSG0006", "[BufferedMessageSource] public partial class BufferedBlock { public int Id; }")]
    [InlineData(typeof(NumberMembersCodeFix), "BMSG0026", "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A; public int B, C; }")]
    [InlineData(typeof(NumberMembersCodeFix), "BMSG0027", "[BufferedMessageSource, BufferedReserved(2, typeof(int))] public partial class Order { public int A; }")]
    [InlineData(typeof(SetViewNameCodeFix), "BMSG0006", "class ShapeCase; [BufferedMessageUnion, BufferedReserved(1)] public partial interface IShape;")]
    [InlineData(typeof(NumberCasesCodeFix), "BMSG0043", "[BufferedMessageUnion, BufferedReserved(2)] public partial interface IShape;")]
    [InlineData(typeof(AskIsNullCodeFix), "CS0037", "class C { bool M(int number) => number is null; }")]
    [InlineData(typeof(AskIsNullCodeFix), "CS0019", "class C { bool M(object number) => number + 1 == null; }")]
    [InlineData(typeof(MakeStringCodeFix), "CS0019", "class C { int M(BufferedValueList<int> list) => list ?? 1; }")]
    [InlineData(typeof(MakeStringCodeFix), "CS0023", "class C { int? M(int number) => number?.CompareTo(1); }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "class C { int? M(BufferedString text) => text?.Length; }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "ref struct View { public bool IsNull => true; public void Print() { } } class C { void M(View view) => view?.Print(); }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "ref struct View { public bool IsNull => true; public int Count() => 1; } class C { void M(View view) { view?.Count(); } }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "ref struct View { public bool IsNull => true; public KeyValuePair<T, int> Pair<T>(T key) => default; } class C { object? M(View view) => view?.Pair(new { Id = 1 }); }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "ref struct View { public bool IsNull => true; public T Get<T>() => default!; } class C { object? M<T>(View view) => view?.Get<T>(); }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "class C { int? M(BufferedList<BufferedList<BufferedString>> lists, int i) => lists[i++]?.Count; }")]
    [InlineData(typeof(ReadThroughNullCodeFix), "CS0023", "class C { BufferedValueList<int> Next() => default; int? M() => Next()?.Count; }")]
    [InlineData(typeof(CompareInPlaceCodeFix), "BMSG0064", "class C { public string Name = \"\"; bool? M(C? c, BufferedString text) => c?.Name.Equals(text.ToString()); }")]
    [InlineData(typeof(CompareInPlaceCodeFix), "BMSG0064", "class C { bool? M(Delivery<RawMessage>? d) => d?.Properties.Reason.ToString()!.Equals(\"a\"); }")]
    [InlineData(typeof(ReadAgainCodeFix), "BMSG0065", "using System.Threading.Tasks; class C { async Task M(Delivery<RawMessage> d, Delivery<RawMessage> e) { var a = d.Message; await Task.Yield(); d = e; N(a); } void N(RawMessage raw) { } }")]
    [InlineData(typeof(ReadAgainCodeFix), "BMSG0065", "using System.Threading.Tasks; class C { async Task M(Delivery<RawMessage> d) { var a = d.Message; a = default; await Task.Yield(); N(a); } void N(RawMessage raw) { } }")]
    [InlineData(typeof(ReadAgainCodeFix), "BMSG0065", "using System.Threading.Tasks; class C { async Task M(Delivery<RawMessage>[] all) { var a = all[0].Message; await Task.Yield(); N(a); } void N(RawMessage raw) { } }")]
    [InlineData(typeof(AwaitLoopCodeFix), "BMSG0065", "using System.Threading.Tasks; class C { async Task M(MessageConsumer<RawMessage> consumer) { var all = consumer.ReadAll(); foreach (var d in all) { await Task.Yield(); } } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; class C { async Task M(RawMessage a) { N(a); await Task.Yield(); } void N(RawMessage raw) { } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; class C { async void M(RawMessage a) { await Task.Yield(); } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; class C { async IAsyncEnumerable<int> M(RawMessage a) { await Task.Yield(); yield return 1; } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; class C { async Task M(BufferedString a) { await Task.Yield(); N(a); } void N(BufferedString text) { } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; readonly ref struct Writer { public int Id { get => 1; set { } } } class C { async Task M(Writer a) { await Task.Yield(); a.Id = 3; } }")]
    [InlineData(typeof(AwaitInLocalFunctionCodeFix), "CS4012", "using System.Threading.Tasks; readonly ref struct Writer { public int Id { get => 1; set { } } } class C { async Task M(Writer a) { await Task.Yield(); a.Id++; (a.Id, _) = (2, 3); } }")]
    [InlineData(typeof(DeclareUsingCodeFix), "BMSG0061", "class C { void M(MessageProducer producer) { producer.TryClaim(8, out var claim); claim.Commit(0); } }")]
    [InlineData(typeof(DeclareUsingCodeFix), "BMSG0061", "class C { bool M(MessageConsumer<RawMessage> consumer) { var has = consumer.TryRead(out var delivery); return has; } }")]
    [InlineData(typeof(DeclareUsingCodeFix), "BMSG0061", "class C { void M(MessageProducer producer) { var claim = producer.Claim(8); claim.Commit(0); claim = producer.Claim(8); claim.Commit(0); } }")]
    [InlineData(typeof(DeclareUsingCodeFix), "BMSG0061", "class C { void M(MessageProducer producer, bool has) { if (!has) { goto end; } var claim = producer.Claim(8); claim.Commit(0); end: return; } }")]
    [InlineData(typeof(IgnoreMemberCodeFix), "BMSG0029", "[BufferedMessageSource] public partial class Order { public readonly int A, B; public int C; public Order(int a) => A = a; }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage>[] _all = []; void M() { if (_all.Length > 0 && _all[0].Message is { Bytes.Length: 3 } other) { } } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class Held { public Delivery<RawMessage> D; } class C { Dictionary<int, Held> _all = []; void M() { var raw = N(_all.TryGetValue(1, out var held), held.D.Message); } RawMessage N(bool has, RawMessage raw) => raw; }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; RawMessage M() => _d.Message; }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; void M() { while (_d.Message is { Bytes.Length: 3 } other) { } } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage>[] _all = []; int N() => 0; void M() { var message = _all[N()].Message; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; Func<bool> M() { return () => _d.Message is { } message; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; RawMessage M() { return _d.Message; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; RawMessage Get(in Delivery<RawMessage> d) => default; void M() { var raw = this.Get(in _d); } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; RawMessage M() { var message = _d.Message; return message; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; int M(bool has) { RawMessage message = default; if (has) { message = _d.Message; } return message.Bytes.Length; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; void M(out RawMessage message) { message = _d.Message; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<ValueMessage<long>> _d; ref readonly long M() { return ref _d.Message.Value; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { Delivery<RawMessage> _d; bool M(MessageConsumer<RawMessage> consumer) { if (consumer.TryRead(out _d) && _d.Message is { Bytes.Length: 3 } other) { return true; } return false; } }")]
    [InlineData(typeof(TakeOfLocalCodeFix), "BMSG0062", "class C { void M(Delivery<RawMessage>[] all, int i) { var raw = N(i++, all[i].Message); } RawMessage N(int i, RawMessage raw) => raw; }")]
    public async Task A_fix_is_not_offered_where_a_person_must_decide(Type fix, string rule, string source)
    {
        using var project = new FixedProject([new SourceFile("Source.cs", source)]);

        Assert.False(await project.FixFirst((CodeFixProvider)Activator.CreateInstance(fix)!, rule));
    }
}
