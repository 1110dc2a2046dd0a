using System.Collections.Immutable;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>A project in a workspace, to which fixes are applied.</summary>
internal sealed class FixedProject : IDisposable
{
    private const string LayoutFile = "BufferedMessages.Layout.txt";

    // The name of a document is that of a link, which may differ from the file's.
    private const string LayoutLink = "Layout.txt";

    private static readonly string[] MendedErrors = ["CS0019", "CS0023", "CS0037", "CS4012"];

    private readonly AdhocWorkspace _workspace = new();
    private readonly ProjectId _project = ProjectId.CreateNewId();

    // Of the current solution.
    private Compilation? _generated;
    private ImmutableArray<Diagnostic> _problems;

    public FixedProject(IEnumerable<SourceFile> files, string? layoutFile = null, ProjectOptions? options = null, params IEnumerable<MetadataReference> references)
    {
        var source = SourceProject.Of(files, options, references);
        var solution = _workspace.CurrentSolution
            .AddProject(ProjectInfo.Create(
                _project,
                VersionStamp.Default,
                "Project",
                source.Compilation.AssemblyName!,
                LanguageNames.CSharp,
                compilationOptions: source.Compilation.Options,
                parseOptions: source.ParseOptions,
                metadataReferences: source.Compilation.References));
        solution = source.Compilation.SyntaxTrees.Aggregate(
            solution,
            (current, tree) => current.AddDocument(DocumentId.CreateNewId(_project), tree.FilePath, tree.GetText(), filePath: tree.FilePath));
        Solution = layoutFile is null
            ? solution
            : solution.AddAdditionalDocument(DocumentId.CreateNewId(_project), LayoutLink, SourceText.From(layoutFile), filePath: LayoutFile);
    }

    /// <summary>Gets the current project.</summary>
    public Solution Solution { get; private set; }

    private Project Project => Solution.GetProject(_project)!;

    public void Dispose() => _workspace.Dispose();

    /// <summary>The text of a file.</summary>
    public async Task<string> TextOf(string path) => (await Project.Documents.Single(document => document.Name == path).GetTextAsync()).ToString();

    /// <summary>The text of the layout file.</summary>
    public async Task<string> LayoutText() => (await Project.AdditionalDocuments.Single().GetTextAsync()).ToString();

    /// <summary>Gets the diagnostics of the analyzers, and the compiler's errors that a fix handles, in the order of their locations.</summary>
    public async Task<ImmutableArray<Diagnostic>> Problems()
    {
        if (_problems.IsDefault)
        {
            var layout = Project.AdditionalDocuments.Any() ? await LayoutText() : null;
            var compilation = await Generate();
            var errors = compilation.GetDiagnostics().Where(static problem => MendedErrors.Contains(problem.Id));
            _problems = [.. (await AnalyzerTests.Analyze(compilation, layout)).Concat(errors).OrderBy(static problem => problem.Location.SourceSpan.Start)];
        }

        return _problems;
    }

    /// <summary>The errors of the compiler, with the generated files.</summary>
    public async Task<IReadOnlyList<string>> Errors() =>
        [.. (await Generate()).GetDiagnostics().Where(static problem => problem.Severity == DiagnosticSeverity.Error).Select(static problem => problem.ToString())];

    /// <summary>Fixes the first diagnostic of a rule as an editor does.</summary>
    /// <returns>Whether the fix was offered.</returns>
    public async Task<bool> FixFirst(CodeFixProvider fix, string rule)
    {
        var problem = (await Problems()).First(problem => problem.Id == rule);
        var actions = new List<CodeAction>();
        await fix.RegisterCodeFixesAsync(new CodeFixContext(
            Solution.GetDocument(problem.Location.SourceTree)!,
            problem,
            (action, _) => actions.Add(action),
            CancellationToken.None));
        if (actions.Count == 0)
        {
            return false;
        }

        await Apply(Assert.Single(actions));
        return true;
    }

    /// <summary>Fixes all diagnostics of a rule in the solution, which come in no particular order.</summary>
    public async Task FixAll(CodeFixProvider fix, string rule)
    {
        var problems = (await Problems()).Where(problem => problem.Id == rule).ToList();
        var context = new FixAllContext(
            Solution.GetDocument(problems[0].Location.SourceTree)!,
            fix,
            FixAllScope.Solution,
            codeActionEquivalenceKey: null!,
            [rule],
            new KnownProblems([.. problems.AsEnumerable().Reverse()]),
            CancellationToken.None);
        await Apply((await fix.GetFixAllProvider()!.GetFixAsync(context))!);
    }

    private async Task<Compilation> Generate()
    {
        if (_generated is null)
        {
            CSharpGeneratorDriver.Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: (CSharpParseOptions)Project.ParseOptions!)
                .RunGeneratorsAndUpdateCompilation((await Project.GetCompilationAsync())!, out var generated, out _);
            _generated = generated;
        }

        return _generated;
    }

    // The files are parsed again, since the nodes of a fix may fit together in a way that their text does not.
    private async Task Apply(CodeAction action)
    {
        Solution = Assert.IsType<ApplyChangesOperation>(Assert.Single(await action.GetOperationsAsync(CancellationToken.None))).ChangedSolution;
        foreach (var document in Project.Documents)
        {
            Solution = Solution.WithDocumentText(document.Id, SourceText.From((await document.GetTextAsync()).ToString()));
        }

        _generated = null;
        _problems = default;
    }

    private sealed class KnownProblems(IReadOnlyList<Diagnostic> problems) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken) =>
            Task.FromResult(problems.Where(problem => document.Project.Solution.GetDocument(problem.Location.SourceTree)?.Id == document.Id));

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            Task.FromResult(Enumerable.Empty<Diagnostic>());

        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            Task.FromResult<IEnumerable<Diagnostic>>(problems);
    }
}
