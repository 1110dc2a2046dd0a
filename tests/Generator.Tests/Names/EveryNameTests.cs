using System.Globalization;
using System.Reflection;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Tests.Names;

/// <summary>
/// Every identifier that the generator emits is tried as a name in user code, in every place where a name can occur. The result compiles without a warning
/// and round-trips, or it gets one diagnostic, and no other error.
/// </summary>
public sealed class EveryNameTests
{
    private const string Prefix = "Name";

    private static readonly ProjectOptions Options = new() { Documentation = false };

    public static TheoryData<string> Forms => [.. NameForm.All.Keys];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_name_works_or_is_refused_once(string form)
    {
        var names = ValidNames(form);
        var project = ProjectOf(form, names);
        var generated = project.Generate();

        // The rules look at the user's code only.
        var refused = (await AnalyzerTests.Analyze(project.Compilation, layoutFile: null)).GroupBy(IndexOf).ToDictionary(static group => group.Key, static group => group.ToList());
        RequireNone(refused.Values.Where(static problems => problems.Count != 1).Select(problems => $"{names[IndexOf(problems[0])]}: {string.Join(", ", problems.Select(Text))}"));
        var assembly = Load(generated, project, names);
        RoundTrip(assembly, type => !refused.ContainsKey(IndexOf(type.Namespace)));
    }

    [Fact]
    public void Names_of_types_beside_sources_work()
    {
        var declared = SourceProject.Of($"namespace Shop {{ {NameCorpus.Everything} }}").Generate().Compilation.GetTypeByMetadataName("Shop.Order")!.ContainingNamespace.GetTypeMembers().Select(static type => type.Name);
        var types = NameCorpus.Names.Except(declared, StringComparer.Ordinal).Select(static name => $"public class @{name};");
        var project = SourceProject.Of($"namespace Shop {{ {string.Concat(types)} {NameCorpus.Everything} }}", Options);

        RoundTrip(Load(project.Generate(), project, []), static type => type.Name != "Closed");
    }

    [Theory]
    [InlineData("Shop.")]
    [InlineData("")]
    public void Names_of_namespaces_work(string outer)
    {
        var inner = NameCorpus.Names.Where(static name => name != "Shop").Select(name => $"namespace {outer}@{name} {{ {NameForm.Small} }}");
        var project = SourceProject.Of(string.Concat(inner) + $"namespace Shop.Goods.Kinds {{ {NameCorpus.Everything} }}", Options);

        RoundTrip(Load(project.Generate(), project, []), static type => type.Name != "Closed");
    }

    [Fact]
    public void Every_identifier_that_a_feature_brings_is_tried()
    {
        var (tried, missing) = (NameCorpus.Names.ToHashSet(StringComparer.Ordinal), new SortedSet<string>(StringComparer.Ordinal));
        foreach (var feature in Features.All)
        {
            var project = Features.ProjectWithWriters(feature);
            var own = project.Compilation.SyntaxTrees.SelectMany(static tree => tree.GetRoot().DescendantTokens()).Select(static token => token.ValueText).ToHashSet(StringComparer.OrdinalIgnoreCase);
            missing.UnionWith(NameCorpus.Identifiers(project).Where(name => !tried.Contains(name) && !own.Contains(name) && !own.Contains(name.TrimEnd('2')) && !Parts(name).Concat(Parts(name.TrimEnd('2'))).Any(own.Contains)));
        }

        RequireNone(missing);

        static IEnumerable<string> Parts(string name) =>
            NameCorpus.Remainders(name).SelectMany(static part => NameCorpus.Remainders(part).Append(part)).SelectMany(static part => new[] { part, "I" + part });
    }

    // The names in the code that is generated for the form; others cannot conflict with it. Names that do not compile even without the generator are left out.
    private static List<string> ValidNames(string form)
    {
        var names = NameCorpus.Of(ProjectOf(form, ["Neutral"])).ToList();
        var invalid = ProjectOf(form, names).Compilation.GetDiagnostics().Where(static problem => problem.Severity == DiagnosticSeverity.Error).Select(IndexOf).ToHashSet();
        var valid = names.Where((_, index) => !invalid.Contains(index)).ToList();
        Assert.InRange(valid.Count, names.Count * 8 / 10, names.Count);
        return valid;
    }

    private static SourceProject ProjectOf(string form, List<string> names) =>
        SourceProject.Of([new SourceFile("Common.cs", NameForm.Common), .. names.Select((string name, int index) => new SourceFile($"{Prefix}{index}.cs", $"namespace {Prefix}{index} {{ {NameForm.All[form](name)} }}"))], Options);

    private static Assembly Load(GeneratedProject generated, SourceProject project, List<string> names)
    {
        using var stream = new MemoryStream();
        var problems = generated.Compilation.Emit(stream).Diagnostics
            .Where(problem => problem.Severity == DiagnosticSeverity.Error || (problem.Severity == DiagnosticSeverity.Warning && !project.Compilation.ContainsSyntaxTree(problem.Location.SourceTree)));
        RequireNone(problems.Select(problem => $"{names.ElementAtOrDefault(IndexOf(problem))}: {problem}"));
        return Assembly.Load(stream.ToArray());
    }

    private static void RoundTrip(Assembly assembly, Func<Type, bool> isWanted)
    {
        var sources = assembly.GetTypes().Where(type => type.GetCustomAttribute<BufferedMessageSourceAttribute>() is not null && isWanted(type)).ToList();
        Assert.NotEmpty(sources);
        Assert.All(sources, static source =>
        {
            var bytes = GeneratedSource.Write(SampleObjects.Of(source));
            Assert.Equal(bytes, GeneratedSource.Write(GeneratedSource.Read(source, bytes)));
        });
    }

    private static void RequireNone(IEnumerable<string> problems)
    {
        var text = string.Join('\n', problems);
        Assert.True(text.Length == 0, text);
    }

    /// <summary>Gets the index of a name in the list, from the namespace of its code.</summary>
    private static int IndexOf(Diagnostic problem) =>
        IndexOf(problem.Location.SourceTree?.GetRoot().DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault()?.Name.ToString());

    private static int IndexOf(string? space) =>
        space is not null && space.StartsWith(Prefix, StringComparison.Ordinal) ? int.Parse(space[Prefix.Length..], CultureInfo.InvariantCulture) : -1;

    private static string Text(Diagnostic problem) => problem.GetMessage(CultureInfo.InvariantCulture);
}
