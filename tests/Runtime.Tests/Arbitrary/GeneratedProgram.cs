using System.Reflection;
using System.Runtime.Loader;
using BufferedMessages.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Runs the generator on a source text, compiles both and loads the result.</summary>
internal static class GeneratedProgram
{
    public static Assembly Load(string source)
    {
        var options = new CSharpParseOptions(LanguageVersion.CSharp13);
        var compilation = CSharpCompilation.Create(
            "Arbitrary" + Guid.NewGuid().ToString("N"),
            [CSharpSyntaxTree.ParseText(source, options)],
            References(),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release));
        CSharpGeneratorDriver
            .Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(compilation, out var generated, out var diagnostics);
        Assert.Empty(diagnostics);

        using var assembly = new MemoryStream();
        var result = generated.Emit(assembly);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).GroupBy(diagnostic => diagnostic.Id, StringComparer.Ordinal)
            .SelectMany(group => group.Take(3))));
        assembly.Position = 0;
        return AssemblyLoadContext.GetLoadContext(typeof(GeneratedProgram).Assembly)!.LoadFromStream(assembly);
    }

    private static IEnumerable<MetadataReference> References() =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Append(typeof(GeneratedProgram).Assembly.Location)
            .Append(typeof(BufferedMessage).Assembly.Location)
            .Distinct(StringComparer.Ordinal)
            .Select(path => MetadataReference.CreateFromFile(path));
}
