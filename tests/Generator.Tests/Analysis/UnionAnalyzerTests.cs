using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Each rule about unions fires at the right place, with the problem, the reason and the remedy, and is silent otherwise.</summary>
public sealed class UnionAnalyzerTests
{
    private const string Circle = " [BufferedMessageSource] public partial class Circle : IShape { public int Id; }";
    private const string Square = " [BufferedMessageSource] public partial class Square : IShape { public int Id; }";

    public static TheoryData<string, string, string> Broken => new()
    {
        {
            "BMSG0001", "[BufferedMessageUnion, BufferedCase<Circle>(1)] public interface [|IShape|];" + Circle,
            "Type 'IShape' must be partial so that message code can be generated for it"
        },
        {
            "BMSG0004", "[BufferedMessageUnion, BufferedReserved(1)] public partial interface [|IShape|]<T>;",
            "'IShape' is generic, but a message has only one layout; write a type for each use"
        },
        {
            "BMSG0006", "public enum ShapeCase { } [[|BufferedMessageUnion|], BufferedCase<Circle>(1)] public partial interface IShape;" + Circle,
            "The enum with the cases of 'IShape' needs the name 'ShapeCase', but another declaration has that name; set CaseName on the attribute"
        },
        {
            "BMSG0006", "[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface [|IShape|]; [BufferedMessageSource] public partial class Shape { public int Id; }" + Circle,
            "The view of 'IShape' needs the name 'ShapeBufferedMessage', but generated code for 'Shape' has that name too; set ViewName on one of them"
        },
        {
            "BMSG0006", "[BufferedMessageUnion, [|BufferedCase<None>(1)|]] public partial interface IShape; [BufferedMessageSource] public partial class None : IShape { public int Id; }",
            "The case 'None' of 'IShape' needs the name 'None', but the enum with the cases reserves it; set another Name"
        },
        {
            "BMSG0006", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Square>(2, Name = \"Circle\")|]] public partial interface IShape;" + Circle + Square,
            "The case 'Square' of 'IShape' needs the name 'Circle', but another case has that name; set Name on one of them"
        },
        {
            "BMSG0006", "[BufferedMessageUnion, [|BufferedCase<Circle>(1, Name = \"a b\")|]] public partial interface IShape;" + Circle,
            "The case 'Circle' of 'IShape' needs the name 'a b', but that is not a C# identifier; set another Name"
        },
        {
            "BMSG0020", "public interface IShape; [BufferedMessageSource] public partial class Drawing { public int Id; public IShape? [|Main|]; }",
            "'Drawing.Main' of type 'IShape?' cannot be stored: it does not determine the type to create when the message is read; use a concrete type, or make it a union with [BufferedMessageUnion], or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0027", "[BufferedMessageSource, BufferedReserved(0)] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 0, but no type, so the places of later members are unknown; name the type of the removed member"
        },
        {
            "BMSG0031", "[[|BufferedCase<Circle>(1)|]] public partial interface IShape;" + Circle,
            "[BufferedCase] has no effect: 'IShape' is not a union, because it has no [BufferedMessageUnion]; remove it"
        },
        {
            "BMSG0040", "[BufferedMessageUnion] public partial class [|Shape|];",
            "'Shape' cannot be a union, because its own objects would belong to no case; declare it abstract, or make it an interface"
        },
        {
            "BMSG0040", "public interface ISized { static abstract int Size { get; } } [BufferedMessageUnion, BufferedReserved(1)] public partial interface [|IShape|] : ISized;",
            "'IShape' cannot be a union, because C# does not accept it as a type argument while its static member 'Size' has no implementation; implement that in the interface, or make it an instance member"
        },
        {
            "BMSG0041", "[BufferedMessageUnion] public partial interface [|IShape|];",
            "'IShape' has no cases, so nothing can be written as it; declare its cases with [BufferedCase<...>(...)]"
        },
        {
            "BMSG0042", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Square>(1)|]] public partial interface IShape;" + Circle + Square,
            "The case 'Square' of 'IShape' has number 1, which 'Circle' has too, so a message could not identify its case; give it another number"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, [|BufferedCase<Circle>(0)|], BufferedCase<Square>(2)] public partial interface IShape;" + Circle + Square,
            "The case 'Circle' of 'IShape' has number 0, which is not between 1 and 2, so the numbers have a gap; number the cases from 1 on without gaps, and reserve the numbers of removed cases"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Square>(3)|]] public partial interface IShape;" + Circle + Square,
            "The case 'Square' of 'IShape' has number 3, which is not between 1 and 2, so the numbers have a gap; number the cases from 1 on without gaps, and reserve the numbers of removed cases"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedReserved(1), [|BufferedCase<Circle>(1)|]] public partial interface IShape;" + Circle,
            "The case 'Circle' of 'IShape' has number 1, which is reserved for a removed case; give it another number"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedReserved(2), [|BufferedReserved(2)|], BufferedCase<Circle>(1)] public partial interface IShape;" + Circle,
            "A [BufferedReserved] of 'IShape' has number 2, which is already reserved; remove one of the two"
        },
        {
            "BMSG0044", "[BufferedMessageUnion, [|BufferedCase<Circle>(1)|]] public partial interface IShape; public class Circle : IShape { public int Id; }",
            "'Circle' cannot be a case of 'IShape', because it is not a message source; add [BufferedMessageSource] to it"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<IRound>(1)|], BufferedCase<Circle>(2)] public partial interface IShape; [BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IRound : IShape; [BufferedMessageSource] public partial class Circle : IRound { public int Id; }",
            "'IRound' cannot be a case of 'IShape': it is a union itself; declare its cases instead"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<Round>(1)|], BufferedCase<Circle>(2)] public partial interface IShape; public abstract class Round : IShape;" + Circle,
            "'Round' cannot be a case of 'IShape': it has no objects of its own; declare the types that derive from it instead"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<Uri>(1)|], BufferedCase<Circle>(2)] public partial interface IShape;" + Circle,
            "'Uri' cannot be a case of 'IShape': it is not a message source, and this project cannot make it one; declare a source that has its data"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<Circle[]>(1)|], BufferedCase<Circle>(2)] public partial interface IShape;" + Circle,
            "'Circle[]' cannot be a case of 'IShape': it is not a message source, and this project cannot make it one; declare a source that has its data"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<List<int>>(1)|], BufferedCase<Circle>(2)] public partial interface IShape;" + Circle,
            "'List<int>' cannot be a case of 'IShape': it is not a message source, and this project cannot make it one; declare a source that has its data"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<Circle>(1)|]] public partial interface IShape; [BufferedMessageSource] public partial class Circle { public int Id; }",
            "'Circle' cannot be a case of 'IShape': it does not implement the union"
        },
        {
            "BMSG0045", "[BufferedMessageUnion, [|BufferedCase<Circle>(1)|]] public abstract partial class Shape; [BufferedMessageSource] public partial class Circle { public int Id; }",
            "'Circle' cannot be a case of 'Shape': it does not derive from the union"
        },
        {
            "BMSG0045", "public partial class Outer { [BufferedMessageUnion, [|BufferedCase<Outer.Circle>(1)|]] internal partial interface IShape; [BufferedMessageSource] private partial class Circle : IShape { public int Id; } }",
            "'Circle' cannot be a case of 'IShape': it is not accessible to the view of the union; make it at least internal"
        },
        {
            "BMSG0046", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Circle>(2)|]] public partial interface IShape;" + Circle,
            "'Circle' is already a case of 'IShape', and an object is written as one case only; remove one of the two"
        },
        {
            "BMSG0047", "[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class [|Ring|] : Circle { public int Width; }" + Circle,
            "'Ring' is a 'IShape' but not a case of that union, so its objects cannot be written as a 'IShape'; declare it as a case"
        },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public Task A_broken_rule_is_reported_once_where_it_is_broken(string rule, string markedSource, string message) =>
        AnalyzerTests.RequireOne(rule, markedSource, message);

    [Fact]
    public async Task A_case_that_is_wrong_leaves_no_gap_and_the_others_are_there()
    {
        var project = SourceProject.Of(
            "[BufferedMessageUnion, BufferedCase<Circle>(1), BufferedCase<string>(2), BufferedCase<Square>(3)] public partial interface IShape;" + Circle + Square);

        Assert.Equal("BMSG0045", Assert.Single(await AnalyzerTests.Analyze(project)).Id);
        Assert.Empty(project.Generate().Problems);
        Assert.Contains("Square = 3", project.Generate().Files["IShape.g.cs"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_reserved_ordinal_of_a_union_counts_for_its_cases()
    {
        var project = SourceProject.Of(
            "[BufferedMessageUnion, BufferedCase<Disc>(1), BufferedReserved(2), BufferedReserved(0, typeof(int))] public abstract partial class Shape { public string? Label; } [BufferedMessageSource] public sealed partial class Disc : Shape { public double Radius; }");

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Contains("\"0 reserved(i32)\\n\" +", project.Generate().Files["Disc.g.cs"], StringComparison.Ordinal);
        Assert.Contains("\"2 reserved\\n\",", project.Generate().Files["Shape.g.cs"], StringComparison.Ordinal);
    }
}
