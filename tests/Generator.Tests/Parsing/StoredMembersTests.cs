using System.Globalization;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>A member is stored if a copy can restore it, or if it has <c>[BufferedMember]</c>. A member that holds a value and is left out is reported.</summary>
public sealed class StoredMembersTests
{
    private const string Rule = "BMSG0029";

    [Theory]
    [InlineData("public int A { get; set; } public int B { get; init; } public required int C { get; set; } public int D; public int E { get; private set; }", "A B C D E")]
    [InlineData("public int A { get; set; } public int B { get; set; } public int Sum => A + B; public int Twice { get => 2 * A; }", "A B")]
    [InlineData("public int A { get; set; } public Uri Link => new(\"shop:1\"); public object Self => this;", "A")]
    [InlineData("public int A { get; } public readonly int B; public Order(int a, int b) { A = a; B = b; } public int Sum => A + B;", "A B")]
    [InlineData("public int A { get; } public string B => \"b\"; public Order(int a, string b) { A = a; }", "A B")]
    [InlineData("public int A { get; } public int B { get; set; } public Order() { } public Order(int a) { A = a; }", "A B")]
    [InlineData("public int A { get; set; } [BufferedIgnore] public List<int> B { get; } = [];", "A")]
    [InlineData("[BufferedMember(0)] public int A { get; set; } [BufferedMember(1)] public int Sum => A + 1; public int Twice => 2 * A;", "A Sum")]
    [InlineData("[BufferedMember(0)] public int A { get; set; } [BufferedMember(1)] public List<int> B { get; } = [];", "A B")]
    public async Task What_a_copy_can_restore_is_stored(string members, string stored)
    {
        var source = $"[BufferedMessageSource] public partial class Order {{ {members} }}";

        Assert.Equal(stored, string.Join(' ', Parsed.Message(source).Members.Select(static member => member.Name)));
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of(source)));
    }

    [Theory]
    [InlineData("[BufferedMessageSource] public partial record Order(int A, int B) { public int Sum => A + B; }", "A B")]
    [InlineData("[BufferedMessageSource] public readonly partial record struct Order(int A) { public int Twice => 2 * A; }", "A")]
    [InlineData("public abstract class Basis { public abstract int A { get; } public virtual int B { get; set; } public virtual int C => 3; } [BufferedMessageSource] public partial class Order : Basis { public override int A => 1; public override int B { get => base.B; } public int D { get; set; } }", "B D")]
    [InlineData("public abstract class Basis { public abstract int A { get; } } [BufferedMessageSource] public partial class Order(int a) : Basis { public override int A { get; } = a; }", "A")]
    [InlineData("public class Basis { public int A { get; protected set; } public int B => A; } [BufferedMessageSource] public partial class Order : Basis { public int C { get; set; } }", "A C")]
    [InlineData("public class Root { public int A { get; set; } } public class Basis : Root { private new string A { get; set; } = \"\"; } [BufferedMessageSource] public partial class Order : Basis { public int B { get; set; } }", "A B")]
    [InlineData("public interface IHasSum { int Sum { get; } int Other => 2; } [BufferedMessageSource] public partial class Order : IHasSum { public int A { get; set; } public int Sum => A; }", "A")]
    [InlineData("public class Basis : IEnumerable<int> { public int A { get; set; } public IEnumerator<int> GetEnumerator() => null!; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null!; } [BufferedMessageSource] public partial class Order : Basis { public int B { get; set; } }", "A B")]
    public async Task Bases_interfaces_and_records_follow_the_same_rule(string source, string stored)
    {
        Assert.Equal(stored, string.Join(' ', Parsed.Message(source).Members.Select(static member => member.Name)));
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of(source)));
    }

    [Theory]
    [InlineData("[BufferedMessageSource] public partial class Order { public int A { get; set; } public List<int> [|B|] { get; } = []; }", "Order.B")]
    [InlineData("[BufferedMessageSource] public partial class Order { public int A { get; set; } public readonly int [|B|] = 2; }", "Order.B")]
    [InlineData("[BufferedMessageSource] public partial class Order { public int A { get; set; } public object [|Lock|] { get; } = new(); }", "Order.Lock")]
    [InlineData("[BufferedMessageSource] public partial class Order(int number) { public int A { get; set; } public int [|Id|] { get; } = number; }", "Order.Id")]
    [InlineData("public class Basis { public int [|A|] { get; private set; } } [BufferedMessageSource] public partial class Order : Basis { public int B { get; set; } }", "Basis.A")]
    public Task A_value_that_would_be_lost_is_reported(string source, string member) =>
        AnalyzerTests.RequireOne(
            Rule,
            source,
            $"'{member}' is not stored in messages of 'Order', because a copy could not restore it: it has no setter that 'Order' can call, and the constructor for copies has no parameter of its name and type; add one of these, number all members with [BufferedMember] to store it for the view only, or exclude it with [BufferedIgnore]");

    [Theory]
    [InlineData("public class Basis { public int [|A|] { get; set; } } [BufferedMessageSource] public partial class Order : Basis { private new int A { get; set; } public int B { get; set; } }", "'Order.A'")]
    [InlineData("public class Basis { public int [|A|]; } [BufferedMessageSource] public partial class Order : Basis { public new static int A() => 1; public int B { get; set; } }", "'Order.A'")]
    [InlineData("public class Root { public int [|A|] { get; set; } } public class Basis : Root { internal new enum A; } [BufferedMessageSource] public partial class Order : Basis { public int B { get; set; } }", "'Basis.A'")]
    public Task A_value_of_a_base_that_another_member_hides_is_reported(string source, string hiding) =>
        AnalyzerTests.RequireOne(
            Rule,
            source,
            $"'{(source.StartsWith("public class Root", StringComparison.Ordinal) ? "Root" : "Basis")}.A' is not stored in messages of 'Order', because {hiding} hides it; rename one of the two, or exclude it with [BufferedIgnore]");

    [Theory]
    [InlineData("public class Basis { public int A => 1; } [BufferedMessageSource] public partial class Order : Basis { private new int A { get; set; } public int B { get; set; } }", "B")]
    [InlineData("public class Basis { [BufferedIgnore] public int A { get; set; } } [BufferedMessageSource] public partial class Order : Basis { private new int A { get; set; } public int B { get; set; } }", "B")]
    [InlineData("public class Basis { public int A { get; set; } } [BufferedMessageSource(\"A\")] public partial class Order : Basis { private new int A { get; set; } public int B { get; set; } }", "B")]
    [InlineData("public class Basis { public int A { get; set; } } [BufferedMessageSource] public partial class Order : Basis { public new string A { get; set; } = \"\"; public int B { get; set; } }", "A B")]
    public async Task A_hidden_member_is_not_reported_if_nothing_is_lost_or_the_source_says_so(string source, string stored)
    {
        Assert.Equal(stored, string.Join(' ', Parsed.Message(source).Members.Select(static member => member.Name)));
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of(source)));
    }

    [Fact]
    public async Task A_value_in_a_base_of_another_assembly_is_reported_too()
    {
        var library = SourceProject.Of("public class Basis { public int A { get; } = 1; public int Twice => 2 * A; }", new ProjectOptions { AssemblyName = "Library" });
        using var assembly = new MemoryStream();
        Assert.True(library.Compilation.Emit(assembly).Success);
        assembly.Position = 0;
        var project = SourceProject.Of(
            [new SourceFile("Order.cs", "[BufferedMessageSource] public partial class Order : Basis { public int B { get; set; } }")],
            new ProjectOptions(),
            MetadataReference.CreateFromStream(assembly));

        Assert.StartsWith("'Basis.A' is not stored in messages of 'Order'", Assert.Single(await AnalyzerTests.Analyze(project)).GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public void A_computed_member_that_is_stored_is_in_the_view_and_not_in_the_copy()
    {
        var project = SourceProject.Of(
            """
            [BufferedMessageSource] public partial class Order
            {
                [BufferedMember(0)] public int A { get; set; }
                [BufferedMember(1)] public int Sum => A + Extra;
                [BufferedIgnore] public int Extra { get; set; }
            }

            public static class Probe
            {
                public static int[] Run()
                {
                    var view = new OrderBufferedMessage(new Order { A = 1, Extra = 2 }.ToMessageArray());
                    return [view.Sum, view.ToOrder().Sum];
                }
            }
            """);

        Assert.Equal([3, 1], (int[])project.Generate().Load().GetType("Probe", throwOnError: true)!.GetMethod("Run")!.Invoke(null, null)!);
    }

    [Fact]
    public void A_member_that_is_not_stored_moves_no_other_one() =>
        Assert.Equal(
            Parsed.Message("[BufferedMessageSource] public partial class Order { public int A { get; set; } public string? B { get; set; } }"),
            Parsed.Message("[BufferedMessageSource] public partial class Order { public int A { get; set; } public long Twice => 2 * A; public string? B { get; set; } }"));
}
