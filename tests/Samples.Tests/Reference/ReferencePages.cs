using System.Text;
using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Samples.Tests.Reference;

/// <summary>Makes a page in Markdown for each public namespace of the shipped libraries, from their assemblies and XML documentation.</summary>
internal static class ReferencePages
{
    private static readonly string[] Projects = ["Runtime", "Caching", "Caching.AspNetCore", "Hosting", "Bridges", "Bridges.RabbitMQ", "Bridges.Redis"];

    private static readonly SymbolDisplayFormat TypeHead = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameOnly,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        kindOptions: SymbolDisplayKindOptions.IncludeTypeKeyword);

    private static readonly SymbolDisplayFormat Member = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameOnly,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        memberOptions: SymbolDisplayMemberOptions.IncludeParameters | SymbolDisplayMemberOptions.IncludeType | SymbolDisplayMemberOptions.IncludeConstantValue | SymbolDisplayMemberOptions.IncludeRef,
        parameterOptions: SymbolDisplayParameterOptions.IncludeName | SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeDefaultValue | SymbolDisplayParameterOptions.IncludeModifiers,
        propertyStyle: SymbolDisplayPropertyStyle.ShowReadWriteDescriptor,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>The pages by the name of their namespace.</summary>
    public static IReadOnlyDictionary<string, string> Make()
    {
        var paths = Projects.Select(PathOf).ToList();
        var documentation = XmlText.Load(paths.Select(static path => Path.ChangeExtension(path, ".xml")));
        return TypesOf(paths)
            .GroupBy(static type => type.ContainingNamespace.ToDisplayString(), StringComparer.Ordinal)
            .ToDictionary(static group => group.Key, group => PageOf(group.Key, group, documentation), StringComparer.Ordinal);
    }

    private static string PathOf(string project)
    {
        var name = project == "Runtime" ? "BufferedMessages" : $"BufferedMessages.{project}";
        return Repository.PathOf($"src/{project}/bin/{Repository.Configuration}/net10.0/{name}.dll");
    }

    private static IEnumerable<INamedTypeSymbol> TypesOf(List<string> paths)
    {
        var framework = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => paths.TrueForAll(ours => Path.GetFileName(ours) != Path.GetFileName(path)))
            .Select(static path => MetadataReference.CreateFromFile(path));
        var ours = paths.ConvertAll(static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("Reference", references: [.. framework, .. ours]);
        return ours.SelectMany(reference => TypesIn(((IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(reference)!).GlobalNamespace)).Where(IsShown);
    }

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceOrTypeSymbol container) =>
        container.GetMembers().OfType<INamespaceOrTypeSymbol>().SelectMany(static member => member is INamedTypeSymbol type ? TypesIn(type).Prepend(type) : TypesIn(member));

    // What completion hides is for generated code.
    private static bool IsShown(ISymbol symbol) =>
        symbol.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected
        && symbol is { IsImplicitlyDeclared: false } && !symbol.Name.Contains('<', StringComparison.Ordinal)
        && !symbol.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "EditorBrowsableAttribute" && attribute.ConstructorArguments is [{ Value: 1 }])
        && (symbol.ContainingType is null || IsShown(symbol.ContainingType));

    private static string PageOf(string name, IEnumerable<INamedTypeSymbol> types, XmlText documentation)
    {
        var page = new StringBuilder($"# {name}\n\nFor readers that look up a member. Made from the comments in the code.\n");
        foreach (var type in types.OrderBy(static type => type.ToDisplayString(), StringComparer.Ordinal))
        {
            page.Append($"\n## {type.ToDisplayString(TypeHead)}\n\n{documentation.SummaryOf(type)}\n");
            var rows = type.GetMembers().Where(IsListed).Select(member => $"| `{member.ToDisplayString(Member).Replace("|", "\\|", StringComparison.Ordinal)}` | {documentation.RowOf(member)} |\n").ToList();
            if (rows.Count != 0)
            {
                page.Append($"\n| member | |\n|---|---|\n{string.Concat(rows)}");
            }
        }

        return page.ToString();
    }

    private static bool IsListed(ISymbol member) =>
        member is IPropertySymbol or IFieldSymbol or IEventSymbol or IMethodSymbol { MethodKind: MethodKind.Ordinary or MethodKind.Constructor or MethodKind.UserDefinedOperator or MethodKind.Conversion }
        && IsShown(member);
}
