using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Each rule about unions fires where it should, says what, why and what to do, and stays silent otherwise.</summary>
public sealed class UnionAnalyzerTests
{
    private const string Circle = " [BufferedMessageSource] public partial class Circle : IShape { public int Id; }";
    private const string Square = " [BufferedMessageSource] public partial class Square : IShape { public int Id; }";

    public static TheoryData<string, string, string> Broken => new()
    {
        {
            "BMSG0001", "[BufferedMessageUnion, BufferedCase<Circle>(1)] public interface [|IShape|];" + Circle,
            "'IShape' is not partial, so that the message code cannot be added to it; declare it partial"
        },
        {
            "BMSG0004", "[BufferedMessageUnion, BufferedReserved(1)] public partial interface [|IShape|]<T>;",
            "'IShape' is generic, and a message has one layout only; write a type for each use"
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
            "The case 'None' of 'IShape' needs the name 'None', but the enum with the cases needs it for itself; set another Name"
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
            "'Drawing.Main' of type 'IShape?' cannot be stored: it does not say which type to create when the message is read; use a concrete type, or make it a union with [BufferedMessageUnion], or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0027", "[BufferedMessageSource, BufferedReserved(0)] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has the ordinal 0, but no type, so that the place of the members behind it is not known; name the type that the member had"
        },
        {
            "BMSG0031", "[[|BufferedCase<Circle>(1)|]] public partial interface IShape;" + Circle,
            "[BufferedCase] has no effect: 'IShape' is no union, as it has no [BufferedMessageUnion]; remove it"
        },
        {
            "BMSG0040", "[BufferedMessageUnion] public partial class [|Shape|];",
            "'Shape' cannot be a union, because an object can be one of it and of no case; declare it abstract, or make it an interface"
        },
        {
            "BMSG0041", "[BufferedMessageUnion] public partial interface [|IShape|];",
            "'IShape' has no case, so that nothing can be written as it; declare its cases with [BufferedCase<...>(...)]"
        },
        {
            "BMSG0042", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Square>(1)|]] public partial interface IShape;" + Circle + Square,
            "The case 'Square' of 'IShape' has the number 1, which 'Circle' has too, so that a message does not say which one it is; give it another one"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, [|BufferedCase<Circle>(0)|], BufferedCase<Square>(2)] public partial interface IShape;" + Circle + Square,
            "The case 'Circle' of 'IShape' has the number 0, which is not between 1 and 2, so that the numbers have a gap; number the cases from 1 on without gaps, and reserve the numbers of removed ones"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Square>(3)|]] public partial interface IShape;" + Circle + Square,
            "The case 'Square' of 'IShape' has the number 3, which is not between 1 and 2, so that the numbers have a gap; number the cases from 1 on without gaps, and reserve the numbers of removed ones"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedReserved(1), [|BufferedCase<Circle>(1)|]] public partial interface IShape;" + Circle,
            "The case 'Circle' of 'IShape' has the number 1, which is reserved for a case that was removed; give it another one"
        },
        {
            "BMSG0043", "[BufferedMessageUnion, BufferedReserved(2), [|BufferedReserved(2)|], BufferedCase<Circle>(1)] public partial interface IShape;" + Circle,
            "A [BufferedReserved] of 'IShape' has the number 2, which is reserved already; remove one of the two"
        },
        {
            "BMSG0044", "[BufferedMessageUnion, [|BufferedCase<Circle>(1)|]] public partial interface IShape; public class Circle : IShape { public int Id; }",
            "'Circle' cannot be a case of 'IShape', because it is not a message source; add [BufferedMessageSource] to it"
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
            "'Circle' cannot be a case of 'IShape': the view of the union cannot see it; make it internal at least"
        },
        {
            "BMSG0046", "[BufferedMessageUnion, BufferedCase<Circle>(1), [|BufferedCase<Circle>(2)|]] public partial interface IShape;" + Circle,
            "'Circle' is a case of 'IShape' already, and an object is written as one case only; remove one of the two"
        },
        {
            "BMSG0047", "[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class [|Ring|] : Circle { public int Width; }" + Circle,
            "'Ring' is a 'IShape', but no case of that union, so that an object of it cannot be written where a 'IShape' is; declare it as a case"
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

        Assert.Equal("BMSG0044", Assert.Single(await AnalyzerTests.Analyze(project)).Id);
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
