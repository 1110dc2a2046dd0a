using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.TestKit;

/// <summary>A project in memory: source texts, compiled against the running framework and this product's runtime.</summary>
public sealed class SourceProject
{
    private const string GlobalUsings =
        "global using System; global using System.Collections.Generic; global using System.Collections.Immutable; global using BufferedMessages;";

    // All projects begin with this one. As long as it is there, they share the compiler's symbols of the framework, which it would make again for each.
    private static readonly Lazy<CSharpCompilation> Frame = new(static () => CSharpCompilation.Create(
        new ProjectOptions().AssemblyName, references: LoadFrameworkReferences(), options: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)));

    private SourceProject(CSharpCompilation compilation, CSharpParseOptions parseOptions)
    {
        Compilation = compilation;
        ParseOptions = parseOptions;
    }

    /// <summary>The compilation without generated files.</summary>
    public CSharpCompilation Compilation { get; }

    /// <summary>How its files are parsed.</summary>
    public CSharpParseOptions ParseOptions { get; }

    /// <summary>Makes a project of one file.</summary>
    public static SourceProject Of(string source, ProjectOptions? options = null) =>
        Of([new SourceFile("Source.cs", source)], options);

    /// <summary>Makes a project of several files.</summary>
    /// <param name="files">The files, in the order in which the compiler gets them.</param>
    /// <param name="options">The settings.</param>
    /// <param name="references">Further assemblies.</param>
    public static SourceProject Of(IEnumerable<SourceFile> files, ProjectOptions? options = null, params IEnumerable<MetadataReference> references)
    {
        options ??= new ProjectOptions();
        var parseOptions = new CSharpParseOptions(
            options.LanguageVersion,
            options.Documentation ? DocumentationMode.Diagnose : DocumentationMode.None);
        SyntaxTree[] trees =
            [.. files.Append(new SourceFile("GlobalUsings.cs", options.ClsCompliant ? $"{GlobalUsings} [assembly: CLSCompliant(true)]" : GlobalUsings)).Select(file => Parse(file, parseOptions))];
        var compilation = Frame.Value
            .WithAssemblyName(options.AssemblyName)
            .AddReferences(references)
            .WithOptions(new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                checkOverflow: options.CheckOverflow,
                optimizationLevel: OptimizationLevel.Release,
                allowUnsafe: true,
                warningLevel: 9999,
                nullableContextOptions: options.Nullable ? NullableContextOptions.Enable : NullableContextOptions.Disable))
            .AddSyntaxTrees(trees);
        return new SourceProject(compilation, parseOptions);
    }

    /// <summary>Parses one more file as the project's files are.</summary>
    public SyntaxTree Parse(SourceFile file) => Parse(file, ParseOptions);

    /// <summary>Runs the generator once.</summary>
    public GeneratedProject Generate()
    {
        GeneratorDriver driver = CSharpGeneratorDriver.Create(
            [new Generator.BufferedMessageGenerator().AsSourceGenerator()],
            parseOptions: ParseOptions);
        driver = driver.RunGeneratorsAndUpdateCompilation(Compilation, out var compilation, out var diagnostics);
        return new GeneratedProject((CSharpCompilation)compilation, driver.GetRunResult(), diagnostics);
    }

    private static SyntaxTree Parse(SourceFile file, CSharpParseOptions options) =>
        CSharpSyntaxTree.ParseText(SourceText.From(file.Text, System.Text.Encoding.UTF8), options, file.Path);

    private static ImmutableArray<MetadataReference> LoadFrameworkReferences()
    {
        var framework = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name is "netstandard.dll"));
        return [.. framework.Append(typeof(MessageSchema).Assembly.Location).Select(static path => MetadataReference.CreateFromFile(path))];
    }
}
