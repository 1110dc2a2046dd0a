using System.Globalization;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>Generators do not see each other's code. What another one adds is reported, because generated code lacks it, or stores it by another layout.</summary>
public sealed class OtherGeneratorTests
{
    private const string Start = "[BufferedMessageSource] public partial class Order { public int Id { get; set; } ";
    private const string LayoutFile = "message Order\n0 i32 Id\n";
    private const string Lacking =
        "cannot be stored: another generator adds the type or its fields, and generators do not see each other's code; move it to another project, use a converter for a type that is declared here, or exclude the member with [BufferedIgnore]";

    public static TheoryData<string, string, string> Additions => new()
    {
        {
            "public Code Code { get; set; } } public partial struct Code;",
            "public partial struct Code { private Guid _value; }",
            $"BMSG0020 'Order.Code' of type 'Code' {Lacking}"
        },
        {
            "public List<Code?>? Codes { get; set; } } public partial record struct Code;",
            "public partial record struct Code { private Guid _value; }",
            $"BMSG0020 'Order.Codes' of type 'List<Code?>?' {Lacking}"
        },
        {
            "public Outer Outer { get; set; } } public struct Outer { public Code Code; } public partial struct Code;",
            "public partial struct Code { private Guid _value; }",
            $"BMSG0020 'Order.Outer' of type 'Outer' {Lacking}"
        },
        {
            "public Kind Kind { get; set; } }",
            "public enum Kind { Open }",
            $"BMSG0020 'Order.Kind' of type 'Kind' {Lacking}"
        },
        {
            "public Code Code { get; set; } } public partial struct Code { public int Number; }",
            "public partial struct Code { public long More; }",
            "BMSG0022 'Order.Code' of type 'Code' cannot be stored by its memory layout: another generator adds fields to it, and generators do not see each other's code; declare all fields, use a converter, or exclude the member with [BufferedIgnore]"
        },
        {
            "public List<(Code, int)>? Pairs { get; set; } } public partial struct Code { public int Number; }",
            "public partial struct Code { public long More; }",
            "BMSG0022 'Order.Pairs' of type 'List<(Code, int)>?' cannot be stored by its memory layout: another generator adds fields to it, and generators do not see each other's code; declare all fields, use a converter, or exclude the member with [BufferedIgnore]"
        },
        {
            "private string? _name; }",
            "public partial class Order { public string? Name { get => _name; set => _name = value; } }",
            "BMSG0029 'Order.Name' is not stored in messages of 'Order', because another generator adds it, and generators do not see each other's code; declare it as a partial property, or exclude it with [BufferedIgnore]"
        },
    };

    [Theory]
    [MemberData(nameof(Additions))]
    public async Task What_another_generator_adds_is_reported_and_not_demanded_in_the_layout_file(string source, string added, string message)
    {
        var problem = Assert.Single(await AnalyzerTests.Analyze(WithAdded(SourceProject.Of(Start + source), added), LayoutFile));

        Assert.Equal(message, $"{problem.Id} {problem.GetMessage(CultureInfo.InvariantCulture)}");
        Assert.Equal("Source.cs", problem.Location.SourceTree!.FilePath);
    }

    [Theory]
    [InlineData("public Code Code { get; set; } } public partial struct Code;", "public partial struct Code { private Guid _value; }")]
    [InlineData("public Kind Kind { get; set; } }", "public enum Kind { Open }")]
    [InlineData("public Code Code { get; set; } } public partial struct Code { public int Number; }", "public partial struct Code { public long More; }")]
    [InlineData("private string? _name; }", "public partial class Order { public string? Name { get => _name; set => _name = value; } }")]
    public async Task A_file_that_looks_generated_but_is_part_of_the_project_is_seen(string source, string added) =>
        Assert.Empty(await AnalyzerTests.Analyze(SourceProject.Of([new SourceFile("Source.cs", Start + source), new SourceFile("Added.g.cs", added)])));

    [Fact]
    public async Task A_converter_stores_a_struct_whose_fields_another_generator_adds()
    {
        var project = SourceProject.Of(
            Start
            + "[BufferedMessageConverter(typeof(Codes))] public Code Code { get; set; } } public readonly partial struct Code; "
            + "public static class Codes { public static Guid ToWire(Code value) => value.Value; public static Code FromWire(Guid value) => new(value); }");

        var whole = WithAdded(project, "public readonly partial struct Code { public Code(Guid value) => Value = value; public Guid Value { get; } }");

        Assert.Empty(await AnalyzerTests.Analyze(whole, LayoutFile + "1 guid Code\n"));
        Assert.DoesNotContain(whole.GetDiagnostics(), static problem => problem.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task A_partial_struct_without_fields_is_refused()
    {
        var project = SourceProject.Of(Start + "public Code Code { get; set; } } public partial struct Code;");

        Assert.Equal(
            "'Order.Code' of type 'Code' cannot be stored by its memory layout: 'Code' is partial and declares no fields, so another generator may add them; declare its fields, use a converter, or exclude the member with [BufferedIgnore]",
            Assert.Single(await AnalyzerTests.Analyze(project)).GetMessage(CultureInfo.InvariantCulture));
        Assert.DoesNotContain("Code =>", project.Generate().Files["Order.g.cs"], StringComparison.Ordinal);
    }

    /// <summary>Gets the project after both generators ran.</summary>
    private static CSharpCompilation WithAdded(SourceProject project, string added) =>
        project.Generate().Compilation.AddSyntaxTrees(project.Parse(new SourceFile("Other/Added.g.cs", added)));
}
