using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// The layout that a struct declares. For structs of other assemblies it is read from metadata, because the compiler shows no attribute
/// there.
/// </summary>
internal sealed class StructDeclaration(bool isKnown, LayoutKind kind, int pack, int size, Func<IFieldSymbol, int?> offsetOf)
{
    public bool IsKnown { get; } = isKnown;

    public bool IsAuto => kind is not (LayoutKind.Sequential or LayoutKind.Explicit);

    public int Pack { get; } = pack;

    public int Size { get; } = size;

    public static StructDeclaration Of(INamedTypeSymbol type, Compilation compilation) =>
        type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty
            ? FromMetadata(type.OriginalDefinition, compilation)
            : FromAttribute(type.OriginalDefinition);

    /// <summary>Gets the offset that the declaration gives to a field; null for a sequential layout.</summary>
    public int? OffsetOf(IFieldSymbol field) => kind == LayoutKind.Explicit ? offsetOf(field.OriginalDefinition) : null;

    private static StructDeclaration FromAttribute(INamedTypeSymbol type)
    {
        var attribute = type.GetAttributes().FirstOrDefault(static data => data.AttributeClass is { Name: nameof(StructLayoutAttribute) });
        return new StructDeclaration(
            isKnown: true,
            attribute is { ConstructorArguments: [{ Value: { } kind }] } ? (LayoutKind)Convert.ToInt32(kind, provider: null) : LayoutKind.Sequential,
            NamedArgument(attribute, nameof(StructLayoutAttribute.Pack)),
            NamedArgument(attribute, nameof(StructLayoutAttribute.Size)),
            static field => field.GetAttributes().FirstOrDefault(static data => data.AttributeClass is { Name: nameof(FieldOffsetAttribute) })
                is { ConstructorArguments: [{ Value: int offset }] } ? offset : null);
    }

    private static int NamedArgument(AttributeData? attribute, string name) =>
        attribute?.NamedArguments.FirstOrDefault(argument => string.Equals(argument.Key, name, StringComparison.Ordinal)).Value.Value is int value ? value : 0;

    private static StructDeclaration FromMetadata(INamedTypeSymbol type, Compilation compilation)
    {
        if (compilation.GetMetadataReference(type.ContainingAssembly) is not PortableExecutableReference reference
            || reference.GetMetadata() is not AssemblyMetadata assembly)
        {
            return new StructDeclaration(isKnown: false, LayoutKind.Auto, pack: 0, size: 0, static _ => null);
        }

        var metadata = assembly.GetModules()[0].GetMetadataReader();
        var definition = metadata.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.MetadataToken));
        var kind = (definition.Attributes & TypeAttributes.LayoutMask) switch
        {
            TypeAttributes.SequentialLayout => LayoutKind.Sequential,
            TypeAttributes.ExplicitLayout => LayoutKind.Explicit,
            _ => LayoutKind.Auto,
        };
        var layout = definition.GetLayout();
        return new StructDeclaration(
            isKnown: true,
            kind,
            layout.PackingSize,
            layout.Size,
            field => metadata.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(field.MetadataToken)).GetOffset());
    }
}
