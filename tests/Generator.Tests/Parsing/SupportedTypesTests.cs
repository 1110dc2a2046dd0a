using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Layout;
using BufferedMessages.TestKit;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>docs/supported-types.md matches the generator: each row of its tables is compiled.</summary>
public sealed class SupportedTypesTests
{
    private const string Usings =
        "using System.Collections.Concurrent; using System.Collections.Frozen; using System.Collections.ObjectModel;";

    private static readonly SymbolDisplayFormat WithContainingTypes = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);

    private static readonly string Page = File.ReadAllText(Path.Combine(DiagnosticDocumentationTests.Root, "docs", "supported-types.md"));
    private static readonly string Types = Page.Split("```csharp\n")[1].Split("```")[0];

    public static TheoryData<string, string, string, string> Supported => Table(
        "| C# type | wire kind | in the view | in the object | limits |",
        static row => (Code(row[0]), Code(row[1]), Code(row[2]), Code(row[3])));

    public static TheoryData<string, string> Unsupported => Table(
        "| C# type | rule | instead |",
        static row => (Code(row[0]), row[1]));

    [Theory]
    [MemberData(nameof(Supported))]
    public void A_supported_type_is_what_its_row_says(string type, string kind, string view, string result)
    {
        var project = Project($"[BufferedMessageSource] public partial class Row {{ public {type} Member; }} public static class Expected {{ public static Type Type => typeof({result}); }}");
        var generated = project.Generate();

        Assert.DoesNotContain(generated.Problems, static problem => problem.Id is not "CS0649");
        Assert.Equal($"0 {kind} Member", Assert.Single(SchemaText.LinesOf(Parsed.Messages(project.Compilation).Single(static message => message.Name == "Row"))));
        Assert.Equal(view, ViewMember(generated.Compilation).Type.ToDisplayString(WithContainingTypes));

        var assembly = generated.Load();
        var row = assembly.GetType("Row", throwOnError: true)!;
        var value = row.GetField("Member")!.GetValue(GeneratedSource.Read(row, Message(kind)));
        var expectedType = (Type)assembly.GetType("Expected", throwOnError: true)!.GetProperty("Type")!.GetValue(null)!;
        Assert.True(value is null ? HasNoEmptyForm(kind) : (Nullable.GetUnderlyingType(expectedType) ?? expectedType).IsInstanceOfType(value), $"{value?.GetType()}");
    }

    [Theory]
    [MemberData(nameof(Unsupported))]
    public async Task An_unsupported_type_breaks_the_rule_of_its_row(string type, string rule)
    {
        var project = Project($"[BufferedMessageSource] public partial class Row {{ public int Id; public {type} Member; }}");

        var problem = Assert.Single(await AnalyzerTests.Analyze(project));

        Assert.Equal($"[{problem.Id}](diagnostics/{problem.Id}.md)", rule);
    }

    private static SourceProject Project(string source) => SourceProject.Of($"{Usings}\n{Types}\n{source}", new ProjectOptions { Nullable = false });

    private static IPropertySymbol ViewMember(Compilation compilation) =>
        compilation.GetTypeByMetadataName("RowBufferedMessage")!.GetMembers("Member").OfType<IPropertySymbol>().Single();

    // Zero for values and messages. Strings, binaries and collections become empty, because they are read into containers.
    private static byte[] Message(string kind)
    {
        var message = new byte[8 + 128];
        BitConverter.TryWriteBytes(message.AsSpan(0), (ushort)16);
        message[2] = 1;
        BitConverter.TryWriteBytes(message.AsSpan(4), message.Length);
        if (kind is "string" or "binary" || kind.StartsWith("list(", StringComparison.Ordinal) || kind.StartsWith("set(", StringComparison.Ordinal) || kind.StartsWith("dictionary(", StringComparison.Ordinal))
        {
            BitConverter.TryWriteBytes(message.AsSpan(8), WireFormat.EmptySlot);
        }

        return message;
    }

    private static bool HasNoEmptyForm(string kind) => kind.EndsWith('?') || kind.StartsWith("message(", StringComparison.Ordinal);

    private static TheoryData<T1, T2> Table<T1, T2>(string head, Func<string[], (T1, T2)> make)
    {
        var data = new TheoryData<T1, T2>();
        Rows(head).ForEach(row => data.Add(make(row).Item1, make(row).Item2));
        return data;
    }

    private static TheoryData<T1, T2, T3, T4> Table<T1, T2, T3, T4>(string head, Func<string[], (T1, T2, T3, T4)> make)
    {
        var data = new TheoryData<T1, T2, T3, T4>();
        foreach (var (first, second, third, fourth) in Rows(head).Select(make))
        {
            data.Add(first, second, third, fourth);
        }

        return data;
    }

    /// <summary>Gets the cells of all rows below this head.</summary>
    private static List<string[]> Rows(string head) =>
        [.. Page.Split(head + "\n").Skip(1).SelectMany(static table => table.Split('\n').Skip(1).TakeWhile(static line => line.StartsWith('|')))
            .Select(static line => line.Trim('|').Split('|').Select(static cell => cell.Trim()).ToArray())];

    private static string Code(string cell) => cell.Trim('`');
}
