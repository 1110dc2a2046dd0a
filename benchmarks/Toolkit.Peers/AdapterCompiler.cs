using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Peers;

/// <summary>
/// Compiles the adapter of a library against its assemblies in a folder, with its source generator, so that its calls are those of a program that references the package.
/// </summary>
internal static class AdapterCompiler
{
    // The assembly that sees the internals of this program.
    private const string AssemblyName = "Toolkit.Peers.Adapters";

    // The source of MemoryPack's generator depends on them.
    private static readonly CSharpParseOptions Parsing = new(LanguageVersion.Latest, preprocessorSymbols: ["NET7_0_OR_GREATER", "NET8_0_OR_GREATER"]);

    /// <param name="adapter">The adapter.</param>
    /// <param name="folder">The folder, which is searched with those in it.</param>
    /// <returns>The peer, or null when a file that it needs is missing.</returns>
    /// <exception cref="InvalidOperationException">The adapter does not compile against these assemblies.</exception>
    public static IPeer? Load(Adapter adapter, string folder)
    {
        var files = adapter.Files.Select(name => Find(folder, name)).ToList();
        if (files.Contains(null))
        {
            return null;
        }

        var library = files[0]!;
        var context = new AssemblyLoadContext(adapter.Name);
        context.Resolving += (_, name) => Find(folder, name.Name + ".dll") is { } path ? context.LoadFromAssemblyPath(path) : null;
        Compilation compilation = Compile(adapter, library);
        var generators = files.Skip(1).SelectMany(static path => GeneratorsOf(path!)).ToArray();
        if (generators.Length != 0)
        {
            CSharpGeneratorDriver.Create(generators, parseOptions: Parsing).RunGeneratorsAndUpdateCompilation(compilation, out compilation, out _);
        }

        using var assembly = new MemoryStream();
        var result = compilation.Emit(assembly);
        if (!result.Success)
        {
            var errors = result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
            throw new InvalidOperationException($"The adapter of {adapter.Name} does not compile against {library}:\n{string.Join('\n', errors.Take(10))}");
        }

        assembly.Position = 0;
        var type = context.LoadFromStream(assembly).GetTypes().Single(static type => typeof(IPeer).IsAssignableFrom(type));
        return (IPeer)Activator.CreateInstance(type)!;
    }

    private static CSharpCompilation Compile(Adapter adapter, string library)
    {
        using var source = typeof(AdapterCompiler).Assembly.GetManifestResourceStream(adapter.Source)!;
        using var text = new StreamReader(source);
        var platform = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        return CSharpCompilation.Create(
            AssemblyName,
            [CSharpSyntaxTree.ParseText(text.ReadToEnd(), Parsing, adapter.Source), CSharpSyntaxTree.ParseText("global using System; global using System.Collections.Generic; global using System.Linq;", Parsing)],
            platform.Append(library).Select(static path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable));
    }

    private static IEnumerable<ISourceGenerator> GeneratorsOf(string path) =>
        Assembly.LoadFrom(path).GetTypes()
            .Where(static type => type.IsDefined(typeof(GeneratorAttribute)))
            .Select(static type => Activator.CreateInstance(type) switch
            {
                IIncrementalGenerator generator => generator.AsSourceGenerator(),
                var generator => (ISourceGenerator)generator!,
            });

    private static string? Find(string folder, string name) => Directory.EnumerateFiles(folder, name, SearchOption.AllDirectories).Order(StringComparer.Ordinal).FirstOrDefault();
}
