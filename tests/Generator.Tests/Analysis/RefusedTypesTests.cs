using System.Globalization;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>For generic types and types that resemble tuples, the message at the member suggests a replacement.</summary>
public sealed class RefusedTypesTests
{
    private const string Types =
        "public class Page<T> { public int Id; } public class Shop<T> { public class Line { public int Id; } } public sealed class Last<T> { public string? Id; } public class Line { public int Count; }";

    [Theory]
    [InlineData("List<Page<int>>", "it is generic, but a message has only one layout; derive a source from it, such as '[BufferedMessageSource] partial class Int32Page : Page<int>', and use that")]
    [InlineData("Last<int>", "it is generic, but a message has only one layout; write a type for this use, or a converter")]
    [InlineData("Lazy<int>", "generic types are not supported; write a type for it, or a converter")]
    [InlineData("System.Text.Encoding", "it does not determine the type to create when the message is read; use a concrete type, or a converter")]
    [InlineData("Shop<int>.Line", "it is nested in the generic type 'Shop', but a message has only one layout; move it out of that type")]
    [InlineData("Tuple<int, string>", "it is a class whose items have no names; use a tuple such as (int Id, string Name)")]
    [InlineData("ValueTuple<int>", "a tuple has at least two items; use the type of the item itself")]
    [InlineData("ValueTuple", "a tuple has at least two items; use the type of the item itself")]
    [InlineData("ValueTuple<int, int, int, int, int, int, int, Guid>", "its last type argument is not a tuple; write the tuple as (A, B, ...)")]
    [InlineData("List<(int Id, object Tag)>", "its content is unknown; use a concrete type")]
    [InlineData("List<dynamic>", "its content is unknown; use a concrete type")]
    [InlineData("KeyValuePair<int, Action>", "code cannot be stored; use data")]
    public async Task A_type_that_cannot_be_stored_says_what_to_write(string type, string reason)
    {
        var problem = Assert.Single(await AnalyzerTests.Analyze(Project(type)));

        Assert.Equal("BMSG0020", problem.Id);
        Assert.EndsWith($" cannot be stored: {reason}, or exclude the member with [BufferedIgnore]", problem.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Last<int>")]
    [InlineData("Lazy<int>")]
    [InlineData("System.Text.Encoding")]
    public async Task A_converter_stores_what_is_refused_without_one(string type)
    {
        var project = SourceProject.Of(
            $$"""
            {{Types}}
            [BufferedMessageSource] public partial class Order { [BufferedMessageConverter(typeof(Converter))] public {{type}}? Other { get; set; } [BufferedMessageConverter(typeof(Converter))] public List<{{type}}>? Others { get; set; } }
            public static class Converter { public static string ToWire({{type}} value) => ""; public static {{type}} FromWire(string value) => null!; }
            """);

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.Empty(project.Generate().Problems);
    }

    [Theory]
    [InlineData("(int Id, Line Line)[]", "BMSG0021")]
    [InlineData("(int Id, nint Handle)", "BMSG0022")]
    [InlineData("Dictionary<(int, int), int>", "BMSG0028")]
    [InlineData("HashSet<KeyValuePair<int, int>>", "BMSG0028")]
    [InlineData("(int, Dictionary<double, int>)", "BMSG0028")]
    public async Task A_fault_in_a_tuple_is_reported_at_the_member(string type, string rule) =>
        Assert.Equal(rule, Assert.Single(await AnalyzerTests.Analyze(Project(type))).Id);

    [Fact]
    public async Task A_member_of_a_generic_source_says_what_to_write_too()
    {
        var problems = await AnalyzerTests.Analyze(SourceProject.Of(
            "[BufferedMessageSource] public partial class Page<T> { public int Id; } [BufferedMessageSource] public partial class Order { public int Id; public Page<Order>? Page; }"));

        Assert.Equal(
            [
                "'Page' is generic, but a message has only one layout; remove the attribute and derive a source for each use, such as '[BufferedMessageSource] partial class OrderPage : Page<Order>'",
                "'Order.Page' of type 'Page<Order>?' cannot be stored: it is generic, but a message has only one layout; derive a source from it, such as '[BufferedMessageSource] partial class OrderPage : Page<Order>', and use that, or exclude the member with [BufferedIgnore]",
            ],
            problems.Select(static problem => problem.GetMessage(CultureInfo.InvariantCulture)).OrderByDescending(static text => text, StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("Page<int>", "it is generic, but a message has only one layout; derive a source from it, such as '[BufferedMessageSource] partial class Int32Page : Page<int>', and use that")]
    [InlineData("Plain", "it has the attribute, but its assembly was built without message code for it; build it with the generator of this product")]
    [InlineData("IPlain", "it has the attribute, but its assembly was built without message code for it; build it with the generator of this product")]
    public async Task A_source_of_another_assembly_that_has_no_message_code_is_reported_at_the_member(string type, string reason)
    {
        var library = SourceProject.Of(
            "[BufferedMessageSource] public partial class Page<T> { public int Id; } [BufferedMessageSource] public partial class Plain : IPlain { public int Id; } [BufferedMessageUnion, BufferedCase<Plain>(1)] public partial interface IPlain;",
            new ProjectOptions { AssemblyName = "Library" });
        using var assembly = new MemoryStream();
        Assert.True(library.Compilation.Emit(assembly).Success);
        assembly.Position = 0;
        var project = SourceProject.Of(
            [new SourceFile("Order.cs", $"[BufferedMessageSource] public partial class Order {{ public int Id; public {type}? Other; }}")],
            new ProjectOptions(),
            MetadataReference.CreateFromStream(assembly));

        Assert.Equal(
            $"'Order.Other' of type '{type}?' cannot be stored: {reason}, or exclude the member with [BufferedIgnore]",
            Assert.Single(await AnalyzerTests.Analyze(project)).GetMessage(CultureInfo.InvariantCulture));
    }

    private static SourceProject Project(string type) =>
        SourceProject.Of($"{Types} [BufferedMessageSource] public partial class Order {{ public int Id; public {type} Member; }}", new ProjectOptions { Nullable = false });
}
