using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The name of a type of a project, by which it is found again after an edit.</summary>
/// <param name="Metadata">The full name in metadata.</param>
/// <param name="Simple">The last part in code.</param>
internal sealed record TypeName(string Metadata, string Simple)
{
    /// <summary>Gets the name of a type.</summary>
    public static TypeName Of(INamedTypeSymbol type)
    {
        var name = string.Join("+", type.Containers().Append(type).Select(static part => part.MetadataName));
        return new TypeName(NamespaceOf(type.ContainingNamespace) + name, type.Name);
    }

    /// <summary>Finds the type; null if the project no longer has it, or if it is file-local.</summary>
    public INamedTypeSymbol? In(Compilation project) => project.Assembly.GetTypeByMetadataName(Metadata);

    private static string NamespaceOf(INamespaceSymbol space) => space.IsGlobalNamespace ? "" : NamespaceOf(space.ContainingNamespace) + space.MetadataName + ".";
}
