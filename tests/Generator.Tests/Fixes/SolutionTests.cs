using System.Collections.Immutable;
using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>Fixes in a solution of two projects, of which the second refers to the first.</summary>
public sealed class SolutionTests
{
    [Fact]
    public Task A_type_of_another_project_becomes_a_source() => RequireFixed(
        new AnnotateTypeCodeFix(),
        "BMSG0021",
        ("public class Line { public int Id; }", "[BufferedMessageSource]\npublic partial class Line { public int Id; }"),
        ("[BufferedMessageSource] public partial class Order { public int Id; public Line? Line; }", "[BufferedMessageSource] public partial class Order { public int Id; public Line? Line; }"));

    [Fact]
    public Task Members_are_numbered_in_both_projects() => RequireFixed(
        new NumberMembersCodeFix(),
        "BMSG0026",
        ("[BufferedMessageSource] public partial class A { [BufferedMember(0)] public int Id; public int Count; }", "[BufferedMessageSource] public partial class A { [BufferedMember(0)] public int Id; [BufferedMember(1)] public int Count; }"),
        ("[BufferedMessageSource] public partial class B { public int Id; [BufferedMember(0)] public int Count; }", "[BufferedMessageSource] public partial class B { [BufferedMember(1)] public int Id; [BufferedMember(0)] public int Count; }"));

    [Fact]
    public Task Cases_are_declared_in_both_projects() => RequireFixed(
        new DeclareCaseCodeFix(),
        "BMSG0047",
        ("[BufferedMessageUnion, BufferedReserved(1)] public partial interface IFirst; [BufferedMessageSource] public partial class A : IFirst { public int Id; }", "[BufferedMessageUnion, BufferedReserved(1)] [BufferedCase<A>(2)] public partial interface IFirst; [BufferedMessageSource] public partial class A : IFirst { public int Id; }"),
        ("[BufferedMessageUnion, BufferedReserved(1)] public partial interface ISecond; [BufferedMessageSource] public partial class B : ISecond { public int Id; }", "[BufferedMessageUnion, BufferedReserved(1)] [BufferedCase<B>(2)] public partial interface ISecond; [BufferedMessageSource] public partial class B : ISecond { public int Id; }"));

    [Fact]
    public Task Cases_of_one_name_are_numbered_in_each_project()
    {
        const string Before = "[BufferedMessageUnion, BufferedCase<A>(1), BufferedCase<B>(1)] partial interface IU; [BufferedMessageSource] partial class A : IU { public int Id; } [BufferedMessageSource] partial class B : IU { public int Id; }";
        const string After = "[BufferedMessageUnion, BufferedCase<A>(1), BufferedCase<B>(2)] partial interface IU; [BufferedMessageSource] partial class A : IU { public int Id; } [BufferedMessageSource] partial class B : IU { public int Id; }";

        return RequireFixed(new NumberCasesCodeFix(), "BMSG0042", (Before, After), (Before, After));
    }

    /// <summary>Requires that Fix All fixes both projects, and that single fixes do not fail.</summary>
    private static async Task RequireFixed(CodeFixProvider fix, string rule, params (string Before, string After)[] files)
    {
        using var workspace = new AdhocWorkspace();
        var solution = workspace.CurrentSolution;
        ProjectId? first = null;
        foreach (var (before, _) in files)
        {
            var name = first is null ? "First" : "Second";
            var source = SourceProject.Of([new SourceFile(name + ".cs", before)]);
            var id = ProjectId.CreateNewId();
            solution = solution.AddProject(ProjectInfo.Create(
                id, VersionStamp.Default, name, name, LanguageNames.CSharp, compilationOptions: source.Compilation.Options, parseOptions: source.ParseOptions, metadataReferences: source.Compilation.References));
            solution = source.Compilation.SyntaxTrees.Aggregate(solution, (current, tree) => current.AddDocument(DocumentId.CreateNewId(id), tree.FilePath, tree.GetText(), filePath: tree.FilePath));
            solution = first is null ? solution : solution.AddProjectReference(id, new ProjectReference(first));
            first ??= id;
        }

        var problems = new Dictionary<ProjectId, ImmutableArray<Diagnostic>>();
        foreach (var project in solution.Projects)
        {
            var found = await AnalyzerTests.Analyze((await project.GetCompilationAsync())!, layoutFile: null);
            problems.Add(project.Id, [.. found.Where(problem => problem.Id == rule)]);
        }

        foreach (var problem in problems.Values.SelectMany(static found => found))
        {
            var actions = new List<CodeAction>();
            await fix.RegisterCodeFixesAsync(new CodeFixContext(solution.GetDocument(problem.Location.SourceTree)!, problem, (action, _) => actions.Add(action), CancellationToken.None));
            await Assert.Single(actions).GetOperationsAsync(CancellationToken.None);
        }

        var start = solution.GetDocument(problems.Values.SelectMany(static found => found).First().Location.SourceTree)!;
        var context = new FixAllContext(start, fix, FixAllScope.Solution, codeActionEquivalenceKey: null!, [rule], new KnownProblems(problems), CancellationToken.None);
        var all = (await fix.GetFixAllProvider()!.GetFixAsync(context))!;
        var changed = Assert.IsType<ApplyChangesOperation>(Assert.Single(await all.GetOperationsAsync(CancellationToken.None))).ChangedSolution;
        var texts = await Task.WhenAll(changed.Projects.Select(static project => project.Documents.First().GetTextAsync()));

        Assert.Equal(files.Select(static file => file.After), texts.Select(static text => text.ToString()));
    }

    private sealed class KnownProblems(IReadOnlyDictionary<ProjectId, ImmutableArray<Diagnostic>> problems) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken) =>
            Task.FromResult(problems[document.Project.Id].Where(problem => document.Project.Solution.GetDocument(problem.Location.SourceTree)?.Id == document.Id));

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) => Task.FromResult(Enumerable.Empty<Diagnostic>());

        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            Task.FromResult<IEnumerable<Diagnostic>>(problems[project.Id]);
    }
}
