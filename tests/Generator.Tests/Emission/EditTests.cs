using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>
/// After an edit of any file that a message depends on, the generator writes what it would write in a new compiler. Each edit is also undone. It skips what
/// the edit cannot change, so each kind of dependency has a case here.
/// </summary>
public sealed class EditTests
{
    private const string Source = "namespace Shop; [BufferedMessageSource] public partial class Order { public int Id { get; set; } ";

    /// <summary>What the edit is about, a file with the message, another file, and the edit of the other: a text in it and its replacement.</summary>
    public static TheoryData<string, string, string, string, string> Edits => new()
    {
        { "member of a base", "namespace Shop; [BufferedMessageSource] public partial class Order : Base { public int Id { get; set; } }", "namespace Shop; public class Base { public int Key { get; set; } }", "int Key", "long Key" },
        { "type of a member of a base", "namespace Shop; [BufferedMessageSource] public partial class Order : Base { } public class Base { public Size Size { get; set; } }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "base of a base", "namespace Shop; [BufferedMessageSource] public partial class Order : Base<int> { } public class Base<T> : Root { }", "namespace Shop; public class Root { public int Key { get; set; } }", "int Key", "long Key" },
        { "field of a struct", Source + "public Size Size { get; set; } }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "field of a struct in a struct", Source + "public Size Size { get; set; } } public struct Size { public Length X; }", "namespace Shop; public struct Length { public int X; }", "int X", "long X" },
        { "body in a struct", Source + "public List<Size> Sizes { get; set; } = []; }", "namespace Shop; public struct Size(int x) { public int X = x; public int Y() { return 1; } }", "return 1", "return x" },
        { "type of an enum", Source + "public Color Color { get; set; } }", "namespace Shop; public enum Color : byte { Red }", "byte", "short" },
        { "member of an enum", Source + "public Color? Color { get; set; } }", "namespace Shop; public enum Color { Red }", "Red", "Blue" },
        { "constant in an enum", Source + "public Color Color { get; set; } } public enum Color { Red = Numbers.One }", "namespace Shop; public static class Numbers { public const int One = 1; }", "= 1", "= 2" },
        { "constant", "namespace Shop; [BufferedMessageSource] public partial class Order { [BufferedMember(Numbers.One)] public int A { get; set; } [BufferedMember(1)] public long B { get; set; } }", "namespace Shop; public static class Numbers { public const int One = 1; }", "= 1", "= 0" },
        { "constant of a constant", "namespace Shop; [BufferedMessageSource] public partial class Order { [BufferedMember(Numbers.One)] public int A { get; set; } [BufferedMember(1)] public long B { get; set; } } public static class Numbers { public const int One = Others.One; }", "namespace Shop; public static class Others { public const int One = 1; }", "= 1", "= 0" },
        { "constant of a global using", "namespace Shop; [BufferedMessageSource] public partial class Order { [BufferedMember(One)] public int A { get; set; } [BufferedMember(1)] public long B { get; set; } }", "global using static Shop.Numbers; namespace Shop; public static class Numbers { public const int One = 1; }", "= 1", "= 0" },
        { "constant of a base", "namespace Shop; [BufferedMessageSource] public partial class Order : Numbers { [BufferedMember(One)] public int A { get; set; } [BufferedMember(1)] public long B { get; set; } }", "namespace Shop; public class Numbers { public const int One = 1; }", "= 1", "= 0" },
        { "target of a global alias", Source + "public Amount Amount { get; set; } }", "global using Amount = System.Int32;", "Int32", "Int64" },
        { "fields of a global alias", Source + "public Amount Amount { get; set; } }", "global using Amount = Shop.Size; namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "attribute of a message", Source + "public Line? Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Line { public int Id { get; set; } }", "[BufferedMessageSource]", "" },
        { "form of a message", Source + "public Line Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Line { public int Id { get; set; } }", "class", "struct" },
        { "name in a message", Source + "public Line? Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Line { public int Id { get; set; } public int Block; }", "int Block", "int BufferedBlock" },
        { "name in a base of a message", Source + "public Line? Line { get; set; } } [BufferedMessageSource] public partial class Line : Base { public int Id { get; set; } }", "namespace Shop; public class Base { public int Block; }", "int Block", "int BufferedBlock" },
        { "constant in an attribute of a message", Source + "public Line? Line { get; set; } } [BufferedMessageSource(ViewName = Names.View)] public partial class Line { public int Id { get; set; } }", "namespace Shop; public static class Names { public const string View = \"A\"; }", "\"A\"", "\"B\"" },
        { "constant in an attribute of another type", "namespace Shop; [BufferedMessageSource(ViewName = \"View\")] public partial class Order { public int Id { get; set; } } [BufferedMessageSource(ViewName = Names.View)] public partial class Line { public int Id { get; set; } }", "namespace Shop; public static class Names { public const string View = \"A\"; }", "\"A\"", "\"View\"" },
        { "name beside a view", Source + "}", "namespace Shop; public class Other { }", "class Other", "class OrderBufferedMessage" },
        { "name in a container", "namespace Shop; public partial class Outer { [BufferedMessageSource] public partial class Order { public int Id { get; set; } } }", "namespace Shop; public partial class Outer { public int Other; }", "int Other", "int OrderBufferedMessage" },
        { "name in a base of a container", "namespace Shop; public partial class Outer : Base { [BufferedMessageSource] public partial class Order { public int Id { get; set; } } }", "namespace Shop; public class Base { public int Other; }", "int Other", "int OrderBufferedMessage" },
        { "name in a container of a message", Source + "public Outer.Line? Line { get; set; } } public partial class Outer { [BufferedMessageSource] public partial class Line { public int Id { get; set; } } }", "namespace Shop; public partial class Outer { public int Other; }", "int Other", "int LineBufferedMessage" },
        { "name that differs in case", Source + "}", "namespace Shop; public class Other { }", "class Other", "class ORDER" },
        { "type that was missing", Source + "public Line? Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Lime { public int Id { get; set; } }", "Lime", "Line" },
        { "type that hides another", Source + "public Guid Key { get; set; } }", "namespace Shop; public struct Other { public int X; }", "struct Other", "struct Guid" },
        { "part of the message", Source + "}", "namespace Shop; public partial class Order { public int Key { get; set; } }", "int Key", "long Key" },
        { "case of a union", "namespace Shop; [BufferedMessageUnion] [BufferedCase<Card>(1)] public partial interface IPayment; [BufferedMessageSource] public partial class Order { public IPayment? Payment { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Card : IPayment { public int Id { get; set; } public int Block; }", "int Block", "int BufferedBlock" },
        { "base of a case", "namespace Shop; [BufferedMessageUnion] [BufferedCase<Card>(1)] public partial interface IPayment; [BufferedMessageSource] public partial class Card : IPart { public int Id { get; set; } }", "namespace Shop; public interface IPart : IPayment { }", ": IPayment", "" },
        { "union of an interface", "namespace Shop; [BufferedMessageSource] public partial class Card : IPart { public int Id { get; set; } } public interface IPart : IPayment { }", "namespace Shop; [BufferedMessageUnion] [BufferedCase<Card>(1)] public partial interface IPayment { int Block => 0; }", "int Block", "int BufferedBlock" },
        { "converter of a member", Source + "[BufferedMessageConverter(typeof(C))] public Uri? Site; }", "namespace Shop; static class C { internal static string ToWire(Uri value) { return null!; } internal static Uri FromWire(string value) => null!; internal static Uri FromWire(byte[] value) => null!; }", "string ToWire", "byte[] ToWire" },
        { "converter of a type", Source + "public Tag Tag; } [BufferedMessageConverter(typeof(C))] public struct Tag { public int X; }", "namespace Shop; static class C { internal static long ToWire(Tag value) => 0; internal static Tag FromWire(long value) => default; }", "long", "int" },
        { "converter of the assembly", Source + "public Uri? Site; }", "[assembly: BufferedMessageConverter(typeof(Shop.C))] namespace Shop; static class C { internal static string ToWire(Uri value) => null!; internal static Uri FromWire(string value) => null!; }", "string", "int" },
        { "attribute of the assembly", Source + "public Uri? Site; } static class C { internal static string ToWire(Uri value) => null!; internal static Uri FromWire(string value) => null!; }", "[assembly: BufferedMessageConverter(typeof(Shop.C))]", "[assembly: BufferedMessageConverter(typeof(Shop.C))]", "" },
        { "type that a converter stores", Source + "[BufferedMessageConverter(typeof(C))] public Uri? Site; } static class C { internal static Size ToWire(Uri value) => default; internal static Uri FromWire(Size value) => null!; }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "type that a converter in another file stores", Source + "[BufferedMessageConverter(typeof(Holder.C))] public Uri? Site; } public struct Size { public Length X; }", "namespace Shop; public static class Holder { internal static class C { internal static Size ToWire(Uri value) => default; internal static Uri FromWire(Size value) => null!; } } public struct Length { public int X; }", "int X", "long X" },
        { "member in documentation", Source + "/// <summary>See <see cref=\"Names.B\"/>.</summary>\npublic int B { get; set; } }", "namespace Shop; public static class Names { public static int A; }", "int A", "int B" },
        { "experimental type", Source + "public Line? Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Line { public int Id { get; set; } }", "[BufferedMessageSource]", "[BufferedMessageSource, System.Diagnostics.CodeAnalysis.Experimental(\"SHOP1\")]" },
        { "compliance of the assembly", Source + "}", "[assembly: CLSCompliant(true)]", "true", "false" },
        { "experimental assembly", Source + "public Line? Line { get; set; } }", "namespace Shop; [BufferedMessageSource] public partial class Line { public int Id { get; set; } }", "namespace", "[assembly: System.Diagnostics.CodeAnalysis.Experimental(\"SHOP1\")] namespace" },
    };

    /// <summary>The same, with a file between the message and the edited file, and an alias or a static using in one of them.</summary>
    public static TheoryData<string, string, string, string, string, string> EditsThroughAliases => new()
    {
        { "field of a struct", Source + "public Size Size { get; set; } }", "using T = Shop.Length; namespace Shop; public struct Size { public T X; }", "namespace Shop; public struct Length { public int X; }", "int X", "long X" },
        { "constant in an enum", Source + "public Color Color { get; set; } }", "using static Shop.Numbers; namespace Shop; public enum Color { Red = One }", "namespace Shop; public static class Numbers { public const int One = 1; }", "= 1", "= 2" },
        { "type of a member of a base", "using B = Shop.Base; namespace Shop; [BufferedMessageSource] public partial class Order : B { }", "namespace Shop; public class Base { public Size Size { get; set; } }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "type of a member of a base of a global alias", "namespace Shop; [BufferedMessageSource] public partial class Order : B { }", "global using B = Shop.Base; namespace Shop; public class Base { public Size Size { get; set; } }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
        { "name in a base of a message", Source + "public Line? Line { get; set; } }", "using B = Shop.Base; namespace Shop; [BufferedMessageSource] public partial class Line : B { public int Id { get; set; } }", "namespace Shop; public class Base { public int Block; }", "int Block", "int BufferedBlock" },
        { "type that a converter stores", Source + "[BufferedMessageConverter(typeof(C))] public Uri? Site; }", "using W = Shop.Size; namespace Shop; static class C { internal static W ToWire(Uri value) => default; internal static Uri FromWire(W value) => null!; }", "namespace Shop; public struct Size { public int X; }", "int X", "long X" },
    };

    [Theory]
    [MemberData(nameof(Edits))]
    public void An_edit_and_its_undoing_generate_what_a_new_compiler_would(string about, string message, string other, string text, string replacement) =>
        Check(about, [new("Order.cs", message)], other, text, replacement);

    [Theory]
    [MemberData(nameof(EditsThroughAliases))]
    public void An_edit_through_an_alias_generates_what_a_new_compiler_would(string about, string message, string between, string other, string text, string replacement) =>
        Check(about, [new("Order.cs", message), new("Between.cs", between)], other, text, replacement);

    private static void Check(string about, SourceFile[] files, string other, string text, string replacement)
    {
        var project = SourceProject.Of([.. files, new("Other.cs", other)], new ProjectOptions { Documentation = true });
        var edited = Replace(project, project.Compilation, other.Replace(text, replacement, StringComparison.Ordinal));
        GeneratorDriver driver = DriverOf(project).RunGenerators(project.Compilation);
        var before = FilesOf(driver);

        driver = driver.RunGenerators(edited);
        var after = FilesOf(driver);
        driver = driver.RunGenerators(Replace(project, edited, other));

        Assert.True(before != after, $"the edit of a {about} changes nothing");
        Assert.Equal(FilesOf(DriverOf(project).RunGenerators(edited)), after);
        Assert.Equal(before, FilesOf(driver));
    }

    [Fact]
    public void Other_settings_and_references_generate_what_a_new_compiler_would()
    {
        var line = CSharpCompilation.Create("Lines", [CSharpSyntaxTree.ParseText("namespace Shop; public struct Line { public int Id; }")], SourceProject.Of("").Compilation.References, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        var project = SourceProject.Of(Source + "public Line Line { get; set; } }");
        GeneratorDriver driver = DriverOf(project).RunGenerators(project.Compilation);
        var before = FilesOf(driver);

        foreach (var changed in new[] { project.Compilation.AddReferences(line.ToMetadataReference()), project.Compilation })
        {
            driver = driver.RunGenerators(changed);

            Assert.Equal(FilesOf(DriverOf(project).RunGenerators(changed)), FilesOf(driver));
            Assert.Equal(ReferenceEquals(changed, project.Compilation), before == FilesOf(driver));
        }
    }

    private static CSharpGeneratorDriver DriverOf(SourceProject project) =>
        CSharpGeneratorDriver.Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: project.ParseOptions);

    private static CSharpCompilation Replace(SourceProject project, CSharpCompilation compilation, string other) =>
        compilation.ReplaceSyntaxTree(compilation.SyntaxTrees.Single(static tree => tree.FilePath == "Other.cs"), project.Parse(new SourceFile("Other.cs", other)));

    private static string FilesOf(GeneratorDriver driver) => string.Join(
        "\n",
        driver.GetRunResult().Results.Single().GeneratedSources.OrderBy(static file => file.HintName, StringComparer.Ordinal).Select(static file => $"{file.HintName}:\n{file.SourceText}"));
}
