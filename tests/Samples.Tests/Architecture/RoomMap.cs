using System.Collections.Concurrent;
using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>The uses between the rooms of a project, found by binding its sources: for every name in every file, the type it means.</summary>
internal static class RoomMap
{
    // Roslyn 4.14 knows the C# 14 features of the sources as preview. What source generators add is missing here and not needed:
    // the names around it still bind.
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview, DocumentationMode.None, preprocessorSymbols: ["NET", "NET10_0", "NET10_0_OR_GREATER"]);

    private const string ImplicitUsings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        global using System.Threading; global using System.Threading.Tasks;
        """;

    // The same for all projects: the compiler reads each assembly once.
    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("BufferedMessages", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private static readonly ConcurrentDictionary<string, Lazy<IReadOnlyList<NameInFile>>> Names = new(StringComparer.Ordinal);

    /// <summary>Finds all uses of what a project declares from other rooms than the one it is declared in.</summary>
    /// <param name="project">Folder of the project, for example src/Runtime.</param>
    /// <param name="house">The folder whose folders are the rooms, for example src/Runtime/Queues; by default the project's. Files beside the rooms are in room "".</param>
    public static IReadOnlyList<RoomUse> Uses(string project, string? house = null) =>
        [.. NamesIn(project).Select(name => UseOf(house ?? project, name)).OfType<RoomUse>().Where(use => use.From != use.To).Distinct()];

    /// <summary>Finds the circles of files: sets of files each of which uses all others, over some way. The files of a partial type count as one.</summary>
    /// <param name="project">Folder of the project.</param>
    /// <returns>The paths of the files of each circle.</returns>
    public static IReadOnlyList<IReadOnlyList<string>> Circles(string project)
    {
        var names = NamesIn(project);
        var partial = (from name in names
                       let files = TypeOf(name.Symbol).DeclaringSyntaxReferences.Select(static declaration => declaration.SyntaxTree.FilePath).Order(StringComparer.Ordinal).ToList()
                       where files.Count > 1
                       from file in files
                       select (file, first: files[0])).Distinct().GroupBy(static part => part.file, StringComparer.Ordinal)
                       .ToDictionary(static part => part.Key, static part => part.First().first, StringComparer.Ordinal);
        var uses = from name in names
                   from declaration in name.Symbol.DeclaringSyntaxReferences
                   let declaring = declaration.SyntaxTree.FilePath
                   where declaring.Length != 0
                   let user = partial.GetValueOrDefault(name.File, name.File)
                   let used = partial.GetValueOrDefault(declaring, declaring)
                   where used != user
                   group used by user;
        return FileCircles.Find(uses.ToDictionary(static use => use.Key, static use => use.Distinct(StringComparer.Ordinal).ToList(), StringComparer.Ordinal));
    }

    /// <summary>Finds all uses of types of foreign assemblies.</summary>
    /// <param name="project">Folder of the project.</param>
    /// <param name="assemblyPrefix">How the names of the assemblies begin.</param>
    public static IReadOnlyList<RoomUse> ForeignUses(string project, string assemblyPrefix) =>
        [.. (from name in NamesIn(project)
             where name.Symbol.ContainingAssembly is { } assembly && assembly.Name.StartsWith(assemblyPrefix, StringComparison.Ordinal)
             select new RoomUse(RoomOf(project, name.File)!, Path.GetFileName(name.File), assemblyPrefix, TypeOf(name.Symbol).Name)).Distinct()];

    // A file has most of its names more than once.
    private static IReadOnlyList<NameInFile> NamesIn(string project) =>
        Names.GetOrAdd(project, static project => new(() => [.. FindNames(Compile(project)).Distinct()])).Value;

    private static CSharpCompilation Compile(string project)
    {
        var files = Repository.Files(project, "*.cs");
        var trees = files.Select(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), ParseOptions, path))
            .Append(CSharpSyntaxTree.ParseText(ImplicitUsings, ParseOptions, ""));
        return CSharpCompilation.Create("Rooms", trees, References, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    }

    private static IEnumerable<NameInFile> FindNames(CSharpCompilation compilation) =>
        from tree in compilation.SyntaxTrees
        where tree.FilePath.Length != 0
        let model = compilation.GetSemanticModel(tree)
        from node in tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>()
        let info = model.GetSymbolInfo(node)
        let symbol = info.Symbol ?? info.CandidateSymbols.FirstOrDefault()
        where symbol is INamedTypeSymbol or { ContainingType: not null }
        select new NameInFile(tree.FilePath, symbol.OriginalDefinition);

    // A type that is declared in several rooms is used through its members: they tell which part is meant.
    private static RoomUse? UseOf(string house, NameInFile name)
    {
        var declarations = name.Symbol.DeclaringSyntaxReferences;
        var rooms = declarations.Select(declaration => RoomOf(house, declaration.SyntaxTree.FilePath)).Distinct().ToList();
        return rooms is [{ } room] && RoomOf(house, name.File) is { } user ? new RoomUse(user, Path.GetFileName(name.File), room, TypeOf(name.Symbol).Name) : null;
    }

    private static INamedTypeSymbol TypeOf(ISymbol symbol)
    {
        var type = symbol as INamedTypeSymbol ?? symbol.ContainingType;
        while (type.ContainingType is { } outer)
        {
            type = outer;
        }

        return type;
    }

    /// <summary>The room of a file; null when it is outside of the house.</summary>
    private static string? RoomOf(string house, string file)
    {
        var parts = Path.GetRelativePath(Repository.PathOf(house), file).Split(Path.DirectorySeparatorChar);
        return parts switch
        {
            ["..", ..] => null,
            [_] => "",
            _ => parts[0],
        };
    }

    /// <summary>A name in a file, and what it means.</summary>
    private sealed record NameInFile(string File, ISymbol Symbol);
}
