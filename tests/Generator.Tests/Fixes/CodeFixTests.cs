using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>Each fix edits a source so that the rule is silent. Fix All has the same result as the single fixes.</summary>
public sealed class CodeFixTests
{
    private const string Cases =
        "\n[BufferedMessageSource] public partial class A : IShape { public int Id; } [BufferedMessageSource] public partial class B : IShape { public int Id; } [BufferedMessageSource] public partial class C : IShape { public int Id; }";

    public static TheoryData<Type, string, string, string> Fixes => new()
    {
        {
            typeof(MakePartialCodeFix), "BMSG0001",
            "/// <summary>One.</summary>\n[BufferedMessageSource]\npublic class Order\n{\n    public int Id;\n}\n\n[BufferedMessageSource] class Line { public int Id; }\n",
            "/// <summary>One.</summary>\n[BufferedMessageSource]\npublic partial class Order\n{\n    public int Id;\n}\n\n[BufferedMessageSource] partial class Line { public int Id; }\n"
        },
        {
            typeof(MakePartialCodeFix), "BMSG0002",
            "class A { public record struct B { [BufferedMessageSource] public partial class C { public int Id; } [BufferedMessageSource] public partial class D { public int Id; } } }",
            "partial class A { public partial record struct B { [BufferedMessageSource] public partial class C { public int Id; } [BufferedMessageSource] public partial class D { public int Id; } } }"
        },
        {
            typeof(MakePartialCodeFix), "BMSG0001",
            "[BufferedMessageSource]\n#if !DEBUG\npublic\n#else\ninternal\n#endif\n// Two.\nclass Order { public int Id; }",
            "[BufferedMessageSource]\n#if !DEBUG\npublic\n#else\ninternal\n#endif\n// Two.\npartial class Order { public int Id; }"
        },
        {
            typeof(SetViewNameCodeFix), "BMSG0006",
            "class OrderBufferedMessage; class OrderView;\n[BufferedMessageSource] public partial class Order { public int Id; public int Count; }\n[BufferedMessageSource(nameof(Id), ViewName = /* One. */ \"a b\" /* Two. */)] public partial class Line { public int Id; public int Count; }",
            "class OrderBufferedMessage; class OrderView;\n[BufferedMessageSource(ViewName = \"OrderView2\")] public partial class Order { public int Id; public int Count; }\n[BufferedMessageSource(nameof(Id), ViewName = /* One. */ \"LineView\" /* Two. */)] public partial class Line { public int Id; public int Count; }"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0020",
            "[BufferedMessageSource]\npublic partial class Order\n{\n    public int Id;\n\n    /// <summary>A tag.</summary>\n    [Obsolete]\n    public object? Tag { get; set; }\n\n    public Action? A, B;\n}\n",
            "[BufferedMessageSource]\npublic partial class Order\n{\n    public int Id;\n\n    /// <summary>A tag.</summary>\n    [BufferedIgnore]\n    [Obsolete]\n    public object? Tag { get; set; }\n\n    [BufferedIgnore]\n    public Action? A, B;\n}\n"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0020",
            "[BufferedMessageSource] public partial record Order(int Id, object? Tag, Uri? Link);",
            "[BufferedMessageSource] public partial record Order(int Id, [property: BufferedIgnore] object? Tag, [property: BufferedIgnore] Uri? Link);"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0022",
            "[BufferedMessageSource] public partial class Order { public int Id; public nint A; public nint B { get; set; } }",
            "[BufferedMessageSource] public partial class Order { public int Id; [BufferedIgnore] public nint A; [BufferedIgnore] public nint B { get; set; } }"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0024",
            "[BufferedMessageSource] public partial class Order { public int Id; public int A { set { } } public int B { set { } } }",
            "[BufferedMessageSource] public partial class Order { public int Id; [BufferedIgnore] public int A { set { } } [BufferedIgnore] public int B { set { } } }"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public HashSet<double>? A; public Dictionary<int?, int>? B { get; set; } }",
            "[BufferedMessageSource] public partial class Order { public int Id; [BufferedIgnore] public HashSet<double>? A; [BufferedIgnore] public Dictionary<int?, int>? B { get; set; } }"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0029",
            "public class Basis { public int A { get; private set; } } [BufferedMessageSource] public partial class Order : Basis { public int Id; public List<int> Tags { get; } = []; } [BufferedMessageSource] public partial class Other : Basis { public int Id; }",
            "public class Basis { [BufferedIgnore] public int A { get; private set; } } [BufferedMessageSource] public partial class Order : Basis { public int Id; [BufferedIgnore] public List<int> Tags { get; } = []; } [BufferedMessageSource] public partial class Other : Basis { public int Id; }"
        },
        {
            typeof(IgnoreMemberCodeFix), "BMSG0020",
            "[BufferedMessageSource] public partial record Order([property: BufferedMember(0)] int Id, [property: BufferedMember(3)] object? Tag)\n{\n    // Two.\n    [BufferedMember(1)]\n    [Obsolete]\n    public Action? A { get; set; }\n\n    [Obsolete, BufferedMember(2) /* Three. */] public Action? B;\n}\n",
            "[BufferedMessageSource] public partial record Order([property: BufferedMember(0)] int Id, [property: BufferedIgnore] object? Tag)\n{\n    // Two.\n    [BufferedIgnore]\n    [Obsolete]\n    public Action? A { get; set; }\n\n    [Obsolete, BufferedIgnore /* Three. */] public Action? B;\n}\n"
        },
        {
            typeof(AnnotateTypeCodeFix), "BMSG0021",
            "public class Line { public int Id; }\nclass Outer { public struct Inner { public string? Name; } }\n[BufferedMessageSource] partial class Order { public int Id; public List<Line[]>? Lines; public Line? Main; public Outer.Inner? Inner; }",
            "[BufferedMessageSource]\npublic partial class Line { public int Id; }\npartial class Outer { [BufferedMessageSource] public partial struct Inner { public string? Name; } }\n[BufferedMessageSource] partial class Order { public int Id; public List<Line[]>? Lines; public Line? Main; public Outer.Inner? Inner; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0025",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A; [BufferedMember(1)] public int B; [BufferedMember(1)] public int C; [BufferedMember(2)] public int D; }",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A; [BufferedMember(1)] public int B; [BufferedMember(3)] public int C; [BufferedMember(2)] public int D; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0025",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A; [BufferedMember(/* One. */ 0 /* Two. */)] public int B; }",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A; [BufferedMember(/* One. */ 1 /* Two. */)] public int B; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0026",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial record Order(int A, int B) { [BufferedMember(0)] public int C { get; set; } }",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial record Order([property: BufferedMember(2)] int A, [property: BufferedMember(3)] int B) { [BufferedMember(0)] public int C { get; set; } }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0027",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(7)] public int A; [BufferedMember(2)] public int B; [BufferedMember(0)] public int C; [BufferedMember(5)] public int D; }",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(3)] public int A; [BufferedMember(1)] public int B; [BufferedMember(0)] public int C; [BufferedMember(2)] public int D; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0026",
            "[BufferedMessageSource] public partial class A { [BufferedMember(0)] public int Id; public int Count; } [BufferedMessageSource] public partial class B : A { [BufferedMember(2)] public int Size; public int Weight; }",
            "[BufferedMessageSource] public partial class A { [BufferedMember(0)] public int Id; [BufferedMember(1)] public int Count; } [BufferedMessageSource] public partial class B : A { [BufferedMember(2)] public int Size; [BufferedMember(3)] public int Weight; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0026",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial class A { public int Id; public int Count; } [BufferedMessageSource] public partial class B : A { [BufferedMember(3)] public int Size; [BufferedMember(4)] public int Weight; }",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial class A { [BufferedMember(0)] public int Id; [BufferedMember(2)] public int Count; } [BufferedMessageSource] public partial class B : A { [BufferedMember(3)] public int Size; [BufferedMember(4)] public int Weight; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0025",
            "public class Basis<T> { [BufferedMember(1)] public T A = default!; } [BufferedMessageSource] public partial class Order : Basis<int> { [BufferedMember(1)] public int B; } [BufferedMessageSource] public partial class Item : Basis<long> { [BufferedMember(1)] public int B; }",
            "public class Basis<T> { [BufferedMember(0)] public T A = default!; } [BufferedMessageSource] public partial class Order : Basis<int> { [BufferedMember(1)] public int B; } [BufferedMessageSource] public partial class Item : Basis<long> { [BufferedMember(1)] public int B; }"
        },
        {
            typeof(NumberMembersCodeFix), "BMSG0026",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A { get; set; } public int Twice => 2 * A; public int B { get; set; } [BufferedMember(1)] public int Sum => A + B; }",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int A { get; set; } public int Twice => 2 * A; [BufferedMember(2)] public int B { get; set; } [BufferedMember(1)] public int Sum => A + B; }"
        },
        {
            typeof(SetViewNameCodeFix), "BMSG0006",
            "class ShapeBufferedMessage;\n[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Circle : IShape { public int Id; }",
            "class ShapeBufferedMessage;\n[BufferedMessageUnion(ViewName = \"ShapeView\"), BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Circle : IShape { public int Id; }"
        },
        {
            typeof(SetViewNameCodeFix), "BMSG0006",
            "class ShapeBufferedMessage;\n[BufferedMessageSource] public partial class Shape { public int Id; }\n[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Circle : IShape { public int Id; }",
            "class ShapeBufferedMessage;\n[BufferedMessageSource(ViewName = \"ShapeView\")] public partial class Shape { public int Id; }\n[BufferedMessageUnion(ViewName = \"ShapeView2\"), BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Circle : IShape { public int Id; }"
        },
        {
            typeof(SetViewNameCodeFix), "BMSG0006",
            "public partial class OrderView { class OrderBufferedMessage; class OrderView2Writer; [BufferedMessageSource(GenerateWriter = true)] public partial class Order { public int Id; public int OrderView3; } }",
            "public partial class OrderView { class OrderBufferedMessage; class OrderView2Writer; [BufferedMessageSource(GenerateWriter = true, ViewName = \"OrderView4\")] public partial class Order { public int Id; public int OrderView3; } }"
        },
        {
            typeof(AnnotateTypeCodeFix), "BMSG0044",
            "[BufferedMessageUnion, BufferedCase<Circle>(1), BufferedCase<Square>(2)] public partial interface IShape;\npublic class Circle : IShape { public int Id; }\npublic struct Square : IShape { public int Id; }",
            "[BufferedMessageUnion, BufferedCase<Circle>(1), BufferedCase<Square>(2)] public partial interface IShape;\n[BufferedMessageSource]\npublic partial class Circle : IShape { public int Id; }\n[BufferedMessageSource]\npublic partial struct Square : IShape { public int Id; }"
        },
        {
            typeof(AnnotateTypeCodeFix), "BMSG0021",
            "public struct Point { public int X; }\npublic class Line { public int Id; }\n[BufferedMessageSource] public partial class Order { public List<(Point Point, Line Line)>? Lines; }",
            "public struct Point { public int X; }\n[BufferedMessageSource]\npublic partial class Line { public int Id; }\n[BufferedMessageSource] public partial class Order { public List<(Point Point, Line Line)>? Lines; }"
        },
        {
            typeof(AnnotateTypeCodeFix), "BMSG0021",
            "[BufferedMessageConverter(typeof(Tags))] public class Tag { public string Text = \"\"; }\npublic class Line { public int Id; }\n[BufferedMessageSource] public partial record Order(List<(Tag Tag, Line Line)>? Lines);\npublic static class Tags { public static string ToWire(Tag tag) => tag.Text; public static Tag FromWire(string text) => new() { Text = text }; }",
            "[BufferedMessageConverter(typeof(Tags))] public class Tag { public string Text = \"\"; }\n[BufferedMessageSource]\npublic partial class Line { public int Id; }\n[BufferedMessageSource] public partial record Order(List<(Tag Tag, Line Line)>? Lines);\npublic static class Tags { public static string ToWire(Tag tag) => tag.Text; public static Tag FromWire(string text) => new() { Text = text }; }"
        },
        {
            typeof(NumberCasesCodeFix), "BMSG0042",
            "[BufferedMessageUnion, BufferedReserved(2), BufferedCase<A>(1), BufferedCase<B>(1), BufferedCase<C>(number: 1, Name = \"D\")] public partial interface IShape;" + Cases,
            "[BufferedMessageUnion, BufferedReserved(2), BufferedCase<A>(1), BufferedCase<B>(3), BufferedCase<C>(number: 4, Name = \"D\")] public partial interface IShape;" + Cases
        },
        {
            typeof(NumberCasesCodeFix), "BMSG0043",
            "[BufferedMessageUnion, BufferedReserved(2), BufferedCase<A>(0), BufferedCase<B>(2), BufferedCase<C>(9)] public partial interface IShape;" + Cases,
            "[BufferedMessageUnion, BufferedReserved(2), BufferedCase<A>(1), BufferedCase<B>(3), BufferedCase<C>(4)] public partial interface IShape;" + Cases
        },
        {
            typeof(DeclareCaseCodeFix), "BMSG0047",
            "/// <summary>One.</summary>\n[BufferedMessageUnion] // Two.\n[BufferedCase<A>(1)]\npublic partial interface IShape;" + Cases,
            "/// <summary>One.</summary>\n[BufferedMessageUnion] // Two.\n[BufferedCase<A>(1)]\n[BufferedCase<B>(2)]\n[BufferedCase<C>(3)]\npublic partial interface IShape;" + Cases
        },
        {
            typeof(DeclareCaseCodeFix), "BMSG0047",
            "[BufferedMessageUnion]\n[BufferedCase<A>(1)] // One.\npublic partial interface IShape;" + Cases,
            "[BufferedMessageUnion]\n[BufferedCase<A>(1)] // One.\n[BufferedCase<B>(2)]\n[BufferedCase<C>(3)]\npublic partial interface IShape;" + Cases
        },
        {
            typeof(DeclareCaseCodeFix), "BMSG0047",
            "class Outer { } namespace Shop { partial class Outer { [BufferedMessageUnion, BufferedReserved(1)] internal abstract partial class Shape; [BufferedMessageSource] internal partial class A : Shape { public int Id; } } }",
            "class Outer { } namespace Shop { partial class Outer { [BufferedMessageUnion, BufferedReserved(1)] [BufferedCase<A>(2)] internal abstract partial class Shape; [BufferedMessageSource] internal partial class A : Shape { public int Id; } } }"
        },
        {
            typeof(DeclareCaseCodeFix), "BMSG0047",
            "namespace Shop { class Circle; [BufferedMessageUnion, BufferedReserved(1)] public abstract partial class Shape { class Forms; } } namespace Forms { [BufferedMessageSource] public partial class Circle : Shop.Shape { public int Id; } }",
            "namespace Shop { class Circle; [BufferedMessageUnion, BufferedReserved(1)] [BufferedCase<global::Forms.Circle>(2)] public abstract partial class Shape { class Forms; } } namespace Forms { [BufferedMessageSource] public partial class Circle : Shop.Shape { public int Id; } }"
        },
        {
            typeof(DeclareUsingCodeFix), "BMSG0061",
            "class C { void M(MessageProducer producer) { \n        // Two.\n        var claim = producer.Claim(8);\n        claim.Commit(0);\n        MessageClaim next = producer.Claim(8);\n        next.Commit(0);\n    } }",
            "class C { void M(MessageProducer producer) { \n        // Two.\n        using var claim = producer.Claim(8);\n        claim.Commit(0);\n        using MessageClaim next = producer.Claim(8);\n        next.Commit(0);\n    } }"
        },
        {
            typeof(TakeOfLocalCodeFix), "BMSG0062",
            "class C\n{\n    Delivery<RawMessage> _delivery, raw;\n\n    int M(Delivery<RawMessage>[] all, int delivery2)\n    {\n        // Two.\n        var message = this._delivery.Message;\n        if (raw.Message is { Bytes.Length: 3 } other) { var one = all[0].Message; return one.Bytes.Length; }\n        return message.Bytes.Length;\n    }\n}",
            "class C\n{\n    Delivery<RawMessage> _delivery, raw;\n\n    int M(Delivery<RawMessage>[] all, int delivery2)\n    {\n        var delivery = this._delivery;\n        // Two.\n        var message = delivery.Message;\n        var raw2 = raw;\n        if (raw2.Message is { Bytes.Length: 3 } other) { var owner = all[0]; var one = owner.Message; return one.Bytes.Length; }\n        return message.Bytes.Length;\n    }\n}"
        },
        {
            typeof(TakeOfLocalCodeFix), "BMSG0062",
            "class C\n{\n    Delivery<RawMessage> _d;\n    Delivery<RawMessage>[] _all = [];\n\n    void M()\n    {\n#if !DEBUG\n        Console.WriteLine();\n#endif\n        // Two.\n        var one = N(_d.Message, _all[0].Message);\n    }\n\n    RawMessage N(RawMessage a, RawMessage b) => a;\n}",
            "class C\n{\n    Delivery<RawMessage> _d;\n    Delivery<RawMessage>[] _all = [];\n\n    void M()\n    {\n#if !DEBUG\n        Console.WriteLine();\n#endif\n        var d = _d;\n        var owner = _all[0];\n        // Two.\n        var one = N(d.Message, owner.Message);\n    }\n\n    RawMessage N(RawMessage a, RawMessage b) => a;\n}"
        },
        {
            typeof(ReadAgainCodeFix), "BMSG0065",
            "using System.Threading.Tasks; class C { async Task M(Delivery<RawMessage> d) { var a = d.Message; await Task.Yield(); N(a); if (/* Two. */ a.Bytes.Length == 3) { await Task.Yield(); } N( a ); } void N(RawMessage raw) { } }",
            "using System.Threading.Tasks; class C { async Task M(Delivery<RawMessage> d) { var a = d.Message; await Task.Yield(); N(d.Message); if (/* Two. */ d.Message.Bytes.Length == 3) { await Task.Yield(); } N( d.Message ); } void N(RawMessage raw) { } }"
        },
        {
            typeof(AwaitLoopCodeFix), "BMSG0065",
            "using System.Threading;\nusing System.Threading.Tasks;\n\nclass C\n{\n    async Task M(MessageConsumer<RawMessage> consumer, CancellationToken stop)\n    {\n        // Two.\n        foreach (var delivery in consumer.ReadAll(stop))\n        {\n            await Task.Delay(delivery.Message.Bytes.Length, stop);\n        }\n    }\n}",
            "using System.Threading;\nusing System.Threading.Tasks;\n\nclass C\n{\n    async Task M(MessageConsumer<RawMessage> consumer, CancellationToken stop)\n    {\n        // Two.\n        await foreach (var delivery in consumer.ReadAllAsync(stop))\n        {\n            await Task.Delay(delivery.Message.Bytes.Length, stop);\n        }\n    }\n}"
        },
        {
            typeof(AwaitInLocalFunctionCodeFix), "CS4012",
            "using System.Threading.Tasks;\n\nclass C\n{\n    async Task M(RawMessage a) => await Task.Delay(a.Bytes.Length);\n    async Task N(RawMessage a) => await Task.Delay(1);\n}",
            "using System.Threading.Tasks;\n\nclass C\n{\n    Task M(RawMessage a)\n    {\n        var length = a.Bytes.Length;\n        return ContinueAsync(length);\n\n        async Task ContinueAsync(int length) => await Task.Delay(length);\n    }\n    Task N(RawMessage a)\n    {\n        return ContinueAsync();\n\n        async Task ContinueAsync() => await Task.Delay(1);\n    }\n}"
        },
        {
            typeof(AwaitInLocalFunctionCodeFix), "CS4012",
            "using System.Threading.Tasks;\n\nclass C\n{\n\tasync Task M(RawMessage a)\n\t{\n\t\tawait Task.Delay(a.Bytes.Length);\n\t}\n}",
            "using System.Threading.Tasks;\n\nclass C\n{\n\tTask M(RawMessage a)\n\t{\n\t\tvar length = a.Bytes.Length;\n\t\treturn ContinueAsync(length);\n\n\t\tasync Task ContinueAsync(int length)\n\t\t{\n\t\t\tawait Task.Delay(length);\n\t\t}\n\t}\n}"
        },
        {
            typeof(CompareInPlaceCodeFix), "BMSG0064",
            "class C { bool M(BufferedString text, string? other) => text.ToString() == \"rush\" || \"a\\n\" != (string?)text || string.Equals(text.ToString(), other) || other == text.ToString() || text.ToString()!.Equals(other) || !string.Equals(text, other ?? \"\") || \"\\ud800\" == text.ToString(); }",
            "class C { bool M(BufferedString text, string? other) => text == \"rush\"u8 || text != \"a\\n\"u8 || text == other || other == text || text == other || !(text == (other ?? \"\")) || \"\\ud800\" == text; }"
        },
        {
            typeof(CompareInPlaceCodeFix), "BMSG0064",
            "class C { bool M(BufferedString text, BufferedString other) => text.ToString() == (other.ToString() == \"a\" ? \"b\" : \"c\"); }",
            "class C { bool M(BufferedString text, BufferedString other) => text == (other == \"a\"u8 ? \"b\" : \"c\"); }"
        },
        {
            typeof(CompareInPlaceCodeFix), "BMSG0064",
            "class C { bool M(BufferedString text, string? other) => text.ToString() // Two.\n    == \"a\" && text.ToString() /* Three. */ != other; }",
            "class C { bool M(BufferedString text, string? other) => text // Two.\n    == \"a\"u8 && text /* Three. */ != other; }"
        },
        {
            typeof(CompareInPlaceCodeFix), "BMSG0064",
            "class C { bool M(BufferedString text, string? other) => string.Equals(text.ToString(), other) is true || string.Equals(text.ToString(), other) switch { true => false, _ => true }; }",
            "class C { bool M(BufferedString text, string? other) => (text == other) is true || (text == other) switch { true => false, _ => true }; }"
        },
        {
            typeof(CompareInPlaceCodeFix), "BMSG0064",
            "class C { bool M(BufferedString text) => /* A. */ \"a\" /* B. */ == /* C. */ text.ToString() /* D. */ && string.Equals(/* E. */ text.ToString(), \"a\" /* F. */) && text.ToString() /* G. */!.Equals(\"a\") // H.\n; bool N(BufferedString text) => string.Equals(text.ToString(), // I.\n new('a', 3)); }",
            "class C { bool M(BufferedString text) => /* A. */ text /* B. */ == /* C. */ \"a\"u8 /* D. */ && text == \"a\"u8 /* E. */ /* F. */ && text == \"a\"u8 /* G. */ // H.\n; bool N(BufferedString text) => text == new string('a', 3) // I.\n; }"
        },
        {
            typeof(ReadThroughNullCodeFix), "CS0023",
            "ref struct View { public bool IsNull => true; public Geo.Point<int> Point => default; public (Geo.Kind Kind, int? Id) Pair => default; } class C { class Geo; object? M(View a) => a?.Point; object? N(View a) => a?.Pair; } namespace Geo { public enum Kind; public struct Point<T>; }",
            "ref struct View { public bool IsNull => true; public Geo.Point<int> Point => default; public (Geo.Kind Kind, int? Id) Pair => default; } class C { class Geo; object? M(View a) => a.IsNull ? (global::Geo.Point<int>?)null : a.Point; object? N(View a) => a.IsNull ? ((global::Geo.Kind Kind, int? Id)?)null : a.Pair; } namespace Geo { public enum Kind; public struct Point<T>; }"
        },
        {
            typeof(AskIsNullCodeFix), "CS0037",
            "class C { bool M(BufferedList<BufferedString> list, BufferedString text) => list[text is null ? 0 : 1] is null; }",
            "class C { bool M(BufferedList<BufferedString> list, BufferedString text) => list[text.IsNull ? 0 : 1].IsNull; }"
        },
        {
            typeof(ReadThroughNullCodeFix), "CS0023",
            "class C { int? M(BufferedValueList<int> a, BufferedValueList<int> b) => a?[b?.Count ?? 0]; }",
            "class C { int? M(BufferedValueList<int> a, BufferedValueList<int> b) => a.IsNull ? (int?)null : a[(b.IsNull ? (int?)null : b.Count) ?? 0]; }"
        },
        {
            typeof(AskIsNullCodeFix), "CS0037",
            "class C { bool M(BufferedString text, BufferedList<BufferedString> list) => text is null || /* Two. */ list is not null && (text) is null || !(list[0] is null); }",
            "class C { bool M(BufferedString text, BufferedList<BufferedString> list) => text.IsNull || /* Two. */ !list.IsNull && (text).IsNull || !(list[0].IsNull); }"
        },
        {
            typeof(AskIsNullCodeFix), "CS0019",
            "class C { bool M(BufferedValueList<int> list, BufferedSpan<int> span, bool b) => list == null || null != span || (b ? list : list) != null; }",
            "class C { bool M(BufferedValueList<int> list, BufferedSpan<int> span, bool b) => list.IsNull || !span.IsNull || !(b ? list : list).IsNull; }"
        },
        {
            typeof(AskIsNullCodeFix), "CS0037",
            "class C { bool M(BufferedString text) => text /* A. */ is /* B. */ null; // C.\n}",
            "class C { bool M(BufferedString text) => text.IsNull /* A. */ /* B. */; // C.\n}"
        },
        {
            typeof(ReadThroughNullCodeFix), "CS0023",
            "class C { int? M(BufferedValueList<int> list) => list // A.\r\n?.Count; }\r\n",
            "class C { int? M(BufferedValueList<int> list) => list.IsNull ? (int?)null : list.Count // A.\r\n; }\r\n"
        },
        {
            typeof(ReadThroughNullCodeFix), "CS0023",
            "ref struct View { public bool IsNull => true; public View Next() => default; public int Id => 1; } class C { int? M(View view) => view.Next()?.Id; View Make() => default; View N() => Make()?.Next(); }",
            "ref struct View { public bool IsNull => true; public View Next() => default; public int Id => 1; } class C { int? M(View view) => view.Next().IsNull ? (int?)null : view.Next().Id; View Make() => default; View N() => Make().Next(); }"
        },
        {
            typeof(MakeStringCodeFix), "CS0019",
            "class C { string M(BufferedString text, BufferedList<BufferedString> list) => (list[0] ?? throw new InvalidOperationException()) + (text ?? \"none\"); }",
            "class C { string M(BufferedString text, BufferedList<BufferedString> list) => (list[0].ToString() ?? throw new InvalidOperationException()) + (text.ToString() ?? \"none\"); }"
        },
        {
            typeof(MakeStringCodeFix), "CS0023",
            "class Row { public BufferedString Note => default; } class C { int? M(Row? row) => row?.Note?.Length; }",
            "class Row { public BufferedString Note => default; } class C { int? M(Row? row) => row?.Note.ToString()?.Length; }"
        },
        {
            typeof(MakeStringCodeFix), "CS0023",
            "class C { string? M(BufferedString text) => text /* A. */?.ToString(); int? N(BufferedString text) => text?.Trim().Length; }",
            "class C { string? M(BufferedString text) => text.ToString() /* A. */; int? N(BufferedString text) => text.ToString()?.Trim().Length; }"
        },
        {
            typeof(ReadThroughNullCodeFix), "CS0023",
            "class C { string? M(BufferedList<BufferedString> list) => list?[0]; int? N(BufferedList<BufferedString> list) { var count = list?.Count; return list?.Count + count; } string? O(BufferedNullableList<int> list) => list?.ToString() + list?[0]; }",
            "class C { string? M(BufferedList<BufferedString> list) => list[0]; int? N(BufferedList<BufferedString> list) { var count = list.IsNull ? (int?)null : list.Count; return (list.IsNull ? (int?)null : list.Count) + count; } string? O(BufferedNullableList<int> list) => (list.IsNull ? null : list.ToString()) + (list.IsNull ? (int?)null : list[0]); }"
        },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public async Task Fixing_one_after_the_other_mends_all(Type fix, string rule, string before, string after)
    {
        using var project = new FixedProject([new SourceFile("Source.cs", before)]);
        for (var problems = await Count(project, rule); problems != 0;)
        {
            Assert.True(await project.FixFirst(Create(fix), rule));
            var left = await Count(project, rule);
            Assert.True(left < problems, $"{left} of {problems} problems are left.");
            problems = left;
        }

        Assert.Equal(after, await project.TextOf("Source.cs"));
        Assert.Empty(await project.Errors());
    }

    [Theory]
    [MemberData(nameof(Fixes))]
    public async Task Fix_all_makes_the_same(Type fix, string rule, string before, string after)
    {
        using var project = new FixedProject([new SourceFile("Source.cs", before)]);

        await project.FixAll(Create(fix), rule);

        Assert.Equal(after, await project.TextOf("Source.cs"));
        Assert.Equal(0, await Count(project, rule));
    }

    [Fact]
    public async Task A_fix_reaches_other_files_and_keeps_their_line_ends()
    {
        using var project = new FixedProject(
        [
            new SourceFile("Order.cs", "[BufferedMessages.BufferedMessageSource] public partial class Order { public int Id; public Line? Line; }"),
            new SourceFile("Line.cs", "public class Line\r\n{\r\n    public int Id;\r\n}\r\n"),
        ]);

        await project.FixAll(new AnnotateTypeCodeFix(), "BMSG0021");

        Assert.Equal("[BufferedMessageSource]\r\npublic partial class Line\r\n{\r\n    public int Id;\r\n}\r\n", await project.TextOf("Line.cs"));
        Assert.Empty(await project.Problems());
    }

    [Fact]
    public void Every_fix_is_tested()
    {
        var tested = Fixes.Select(static row => (Type)row[0]).Append(typeof(ReserveMemberCodeFix)).Append(typeof(AddToLayoutFileCodeFix)).Distinct();
        var fixes = typeof(SourceCodeFix).Assembly.GetTypes().Where(static type => !type.IsAbstract && type.IsSubclassOf(typeof(CodeFixProvider)));

        Assert.Equal(fixes.Select(static type => type.Name).Order(StringComparer.Ordinal), tested.Select(static type => type.Name).Order(StringComparer.Ordinal));
    }

    private static CodeFixProvider Create(Type fix) => (CodeFixProvider)Activator.CreateInstance(fix)!;

    private static async Task<int> Count(FixedProject project, string rule) => (await project.Problems()).Count(problem => problem.Id == rule);
}
