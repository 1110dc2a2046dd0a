using System.Globalization;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests.Names;

/// <summary>Names in user code that once broke the generated code, each with its result now.</summary>
public sealed class NameTests
{
    [Theory]
    [InlineData("public partial class Write { public int Id { get; set; } }", "Write")]
    [InlineData("public partial class CalculateSize { public int Id { get; set; } }", "CalculateSize")]
    [InlineData("public partial class String { public int Id { get; set; } }", "String")]
    [InlineData("public partial class Order { public int _block { get; set; } public string? _block2 { get; set; } }", "Order")]
    [InlineData("public partial class Order { public int Id { get; set; } public new int ToString { get; set; } }", "Order")]
    [InlineData("public partial class Order { public int Id { get; set; } public (int First, int Second) To { get; set; } }", "Order")]
    [InlineData("public partial class Order : Basis { public int Id { get; set; } } public class Basis { public int Write { get; set; } public string? CalculateSize { get; set; } }", "Order")]
    [InlineData("public partial class Basis { public int Write { get; set; } public string? CalculateSize { get; set; } } [BufferedMessageSource] public partial class Order : Basis { public int Id { get; set; } }", "Order")]
    [InlineData("public partial record Basis(int Id, bool Write); [BufferedMessageSource] public partial record Order(int Id, bool Write) : Basis(Id, Write);", "Order")]
    [InlineData("public partial record Basis(int Id); public record Middle(int Id, bool Write) : Basis(Id) { public new bool Write { get; init; } = Write; } [BufferedMessageSource] public partial record Order(int Id, bool Write) : Middle(Id, Write);", "Order")]
    [InlineData("public partial record Basis(int Id); [BufferedMessageSource] public partial record Order(int Id, bool Write) : Basis(Id) { public new bool Write { get; init; } = Write; }", "Order")]
    [InlineData("public partial record Order(int Id, bool Write, string? CalculateSize);", "Order")]
    [InlineData("public partial class Basis : Root { public int Id { get; set; } } public class Root { protected int Write(Span<byte> bytes) => bytes.Length; } [BufferedMessageSource] public partial class Order : Basis { public int Other { get; set; } }", "Order")]
    public void A_source_of_such_names_round_trips(string source, string type)
    {
        var sample = SampleObjects.Of(SourceProject.Of("[BufferedMessageSource(GenerateWriter = true)] " + source).Generate().Load().GetType(type, throwOnError: true)!);
        var bytes = GeneratedSource.Write(sample);

        Assert.Equal(bytes, GeneratedSource.Write(GeneratedSource.Read(sample.GetType(), bytes)));
    }

    [Fact]
    public void The_files_of_very_long_names_have_names_that_a_file_system_takes()
    {
        var name = new string('\u00c4', 200);

        var files = SourceProject.Of($"[BufferedMessageSource] public partial class {name}A {{ public int Id; }} [BufferedMessageSource] public partial class {name}B {{ public int Id; }}").Generate().Files.Keys;

        Assert.Equal(2, files.Count());
        Assert.All(files, static file => Assert.InRange(System.Text.Encoding.UTF8.GetByteCount(file), 1, 255));
    }

    [Fact]
    public void A_list_of_messages_with_a_member_ToString_has_a_text() =>
        Assert.Equal(
            """[{"Id":1,"ToString":2}, {"Id":3,"ToString":4}]""",
            Run(
                """
                [BufferedMessageSource] public partial class Order { public int Id { get; set; } public new int ToString { get; set; } }
                [BufferedMessageSource] public partial class Basket { public List<Order> Orders { get; set; } = []; }
                public static class Probe
                {
                    public static string Run() => new BasketBufferedMessage(new Basket { Orders = [new() { Id = 1, ToString = 2 }, new() { Id = 3, ToString = 4 }] }.ToMessageArray()).Orders.ToString();
                }
                """));

    [Theory]
    [InlineData("[BufferedMessageSource] public partial class String { public int Id { get; set; } }", "String")]
    [InlineData("[BufferedMessageUnion, BufferedCase<Text>(1)] public partial interface IString; [BufferedMessageSource] public partial class Text : IString { public int Id { get; set; } }", "Text")]
    public void A_view_that_copies_to_a_String_keeps_ToString(string source, string type) =>
        Assert.Equal(
            "7",
            Run(
                $$"""
                {{source}}
                public static class Probe
                {
                    public static string Run()
                    {
                        var view = new StringBufferedMessage(Write(new {{type}} { Id = 7 }));
                        string text = view.ToString();
                        return text.Length == 0 ? "" : (({{type}})view.ToStringSource()).Id.ToString();
                    }

                    private static byte[] Write<T>(T source) where T : IBufferedMessageSource<T> => source.ToMessageArray();

                    {{(type == "Text" ? "private static byte[] Write(Text source) => ((IString)source).ToMessageArray();" : "")}}
                }
                """));

    [Theory]
    [InlineData(
        "[BufferedMessageSource] public partial class [|BufferedBlock|] { public int Id { get; set; } }",
        "The generated block of 'BufferedBlock' needs the name 'BufferedBlock', but the type itself has that name; rename it")]
    [InlineData(
        "public class Basis { public int [|BufferedBlock|] { get; set; } } [BufferedMessageSource] public partial class Order : Basis { public int Id { get; set; } } [BufferedMessageSource] public partial class Other : Basis { public int Id { get; set; } }",
        "The generated block of 'Basis' needs the name 'BufferedBlock', but the type has a member of that name; rename it")]
    [InlineData(
        "[BufferedMessageSource] public partial class Basis { public int Id { get; set; } } [BufferedMessageSource] public partial class [|Write|] : Basis { public int Other { get; set; } }",
        "The method of 'Write' that hides the one of its base needs the name 'Write', but a type cannot have a member of its own name; rename the type")]
    [InlineData(
        "[BufferedMessageSource] public partial class Basis { public int Id { get; set; } } [BufferedMessageSource] public partial class [|Order|] : Basis { public int Other { get; set; } private int CalculateSize() => Other; }",
        "The method of 'Order' that hides the one of its base needs the name 'CalculateSize', but a member of that name is not public; rename it")]
    [InlineData(
        "[BufferedMessageSource] public partial class Basis { public int Id { get; set; } } public abstract class Middle : Basis { protected new int Write(Span<byte> bytes) => bytes.Length; } [BufferedMessageSource] public partial class [|Order|] : Middle { public int Other { get; set; } }",
        "The method of 'Order' that hides the one of its base needs the name 'Write', but a member of that name is not public; rename it")]
    [InlineData(
        "[BufferedMessageSource] public partial class Basis { public int Id { get; set; } public int [|ToOrder|] { get; set; } } [BufferedMessageSource] public partial class Order : Basis { public int Other { get; set; } }",
        "The member 'Basis.ToOrder' in the view of 'Order' needs the name 'ToOrder', but the view has its own member of that name; rename the member, or exclude it with [BufferedIgnore]")]
    [InlineData(
        "public class Basis { public bool [|IsNull|] { get; set; } } [BufferedMessageSource] public partial class Order : Basis { public int Id { get; set; } } [BufferedMessageSource] public partial class Other : Basis { public int Id { get; set; } }",
        "The member 'Basis.IsNull' in a view needs the name 'IsNull', but every view has its own member of that name; rename the member, or exclude it with [BufferedIgnore]")]
    [InlineData(
        "public partial class OrderBufferedMessage { [BufferedMessageSource] public partial class [|Order|] { public int Id { get; set; } } }",
        "The view of 'Order' needs the name 'OrderBufferedMessage', but another declaration has that name; set ViewName on the attribute")]
    [InlineData(
        "[BufferedMessageSource(ViewName = \"IsNull\")] public partial class [|Order|] { public int Id { get; set; } }",
        "The view of 'Order' needs the name 'IsNull', but a member of the view has that name; set another ViewName")]
    [InlineData(
        "[BufferedMessageSource(ViewName = \"OtherBufferedMessageWriter\")] public partial class [|Order|] { public int Id { get; set; } } [BufferedMessageSource(GenerateWriter = true)] public partial class Other { public int Id { get; set; } }",
        "The view of 'Order' needs the name 'OtherBufferedMessageWriter', but generated code for 'Other' has that name too; set ViewName on one of them")]
    [InlineData(
        "[[|BufferedMessageUnion(CaseName = \"ShapeBufferedMessage\")|], BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Circle : IShape { public int Id { get; set; } }",
        "The enum with the cases of 'IShape' needs the name 'ShapeBufferedMessage', but the view has that name; set another CaseName")]
    public Task A_name_that_users_see_is_refused(string source, string message) => AnalyzerTests.RequireOne("BMSG0006", source, message);

    [Theory]
    [InlineData("[BufferedMessageSource] public partial record Basis(int Id); [BufferedMessageSource] public partial record Order(int Id, bool Write) : Basis(Id);", "Write")]
    [InlineData("[BufferedMessageSource] public partial record Basis(int Id); public record Order(int Id, bool Write) : Basis(Id);", "Write")]
    [InlineData("[BufferedMessageUnion, BufferedCase<Order>(1)] public abstract partial record Basis; public abstract record Middle : Basis; [BufferedMessageSource] public partial record Order(int CalculateSize) : Middle;", "CalculateSize")]
    public async Task A_positional_parameter_without_a_property_is_refused_beside_the_error_of_the_compiler(string source, string name)
    {
        var project = SourceProject.Of(source).Generate();

        var problem = Assert.Single(project.GeneratorDiagnostics);
        Assert.Equal(
            $"The generated method of 'Basis', a base of 'Order', needs the name '{name}', but a positional parameter of 'Order' has it, and C# creates no property beside a method of a base; rename the parameter",
            problem.GetMessage(CultureInfo.InvariantCulture));
        Assert.Equal(("BMSG0006", source.LastIndexOf(name, StringComparison.Ordinal)), (problem.Id, problem.Location.SourceSpan.Start));
        Assert.Equal(["CS8866"], project.Problems.Where(static problem => problem.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error).Select(static problem => problem.Id));
        Assert.Empty(await AnalyzerTests.Analyze(project.Compilation, layoutFile: null));
    }

    [Fact]
    public async Task A_refused_name_is_the_only_error()
    {
        var project = SourceProject.Of(
            "[BufferedMessageUnion, BufferedCase<Circle>(1)] public partial interface IShape; [BufferedMessageSource] public partial class Shape { public int Id; } [BufferedMessageSource] public partial class Circle : IShape { public int Id { get; set; } public IShape? Next { get; set; } }");

        Assert.Equal(
            "The view of 'IShape' needs the name 'ShapeBufferedMessage', but generated code for 'Shape' has that name too; set ViewName on one of them",
            Assert.Single(await AnalyzerTests.Analyze(project)).GetMessage(CultureInfo.InvariantCulture));
        Assert.Empty(project.Generate().Problems);
    }

    private static string Run(string source) =>
        SourceProject.Of(source, new ProjectOptions { LanguageVersion = Microsoft.CodeAnalysis.CSharp.LanguageVersion.Preview }).Generate().Load()
            .GetType("Probe", throwOnError: true)!.GetMethod("Run")!.CreateDelegate<Func<string>>()();
}
