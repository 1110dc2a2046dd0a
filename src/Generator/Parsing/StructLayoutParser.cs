using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// Computes the layout of an unmanaged struct as the 64-bit CLR lays it out: fields in order, each aligned to its own alignment or to
/// Pack, whichever is smaller. Refuses what has no stable layout, and what holds values that need a check when read.
/// </summary>
internal sealed class StructLayoutParser(Compilation compilation)
{
    // The CLR's default for Pack; no field is aligned to more.
    private const int DefaultPack = 32;
    private const int MaxBlockAlignment = 8;

    /// <summary>The kind of a struct, or why it has none.</summary>
    public KindResult Parse(INamedTypeSymbol type)
    {
        var open = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        if (!TryLayOut(type, open, out var layout, out var reason))
        {
            return reason is null ? KindResult.Silent : KindResult.Unstable(reason);
        }

        if (layout.Size > ushort.MaxValue)
        {
            return KindResult.Unstable($"it takes {layout.Size} bytes, and a struct may take {ushort.MaxValue} at most; make it a message");
        }

        // A list's elements would not all be aligned, which the CLR allows for such structs and the format does not.
        if (layout.Size % Math.Min(layout.Alignment, MaxBlockAlignment) != 0)
        {
            return KindResult.Unstable("its Size is not a multiple of its alignment; leave Size out, or set Pack too");
        }

        var fields = string.Join(",", layout.Fields.Select(static field => $"{field.Offset}:{field.Schema}"));
        return new ValueKind(
            $"struct({layout.Size};{fields})",
            type.GlobalName(),
            layout.Size,
            Math.Min(layout.Alignment, MaxBlockAlignment),
            IsChecked: false,
            PaddingOf(layout));
    }

    private static EquatableArray<ushort> PaddingOf(StructLayout layout)
    {
        var padding = new List<ushort>();
        var end = 0;
        foreach (var (offset, size, _) in layout.Fields.OrderBy(static field => field.Offset).Append((layout.Size, 0, "")))
        {
            if (offset > end)
            {
                padding.Add((ushort)end);
                padding.Add((ushort)(offset - end));
            }

            end = offset + size;
        }

        return new EquatableArray<ushort>(padding);
    }

    private bool TryLayOut(INamedTypeSymbol type, HashSet<ISymbol> open, out StructLayout layout, out string? reason)
    {
        layout = default;
        if (!open.Add(type))
        {
            // The compiler refuses a struct that contains itself.
            reason = null;
            return false;
        }

        var declared = StructDeclaration.Of(type, compilation);
        reason = Refusal(type, declared);
        if (reason is not null)
        {
            return false;
        }

        var pack = declared.Pack == 0 ? DefaultPack : declared.Pack;
        var fields = new List<(int Offset, int Size, string Schema)>();
        var end = 0;
        var alignment = 1;
        foreach (var field in InstanceFields(type))
        {
            if (!TryMeasure(field, open, out var inner, out reason))
            {
                return false;
            }

            var fieldAlignment = Math.Min(inner.Alignment, pack);
            var offset = declared.OffsetOf(field) ?? WireFormat.Align(end, fieldAlignment);
            alignment = Math.Max(alignment, fieldAlignment);
            end = Math.Max(end, offset + inner.Size);
            fields.AddRange(inner.Fields.Select(part => (offset + part.Offset, part.Size, part.Schema)));
        }

        open.Remove(type);
        if (Overlap(fields))
        {
            reason = $"the fields of '{type.Name}' overlap, so that a value's meaning is not known; store them as separate members";
            return false;
        }

        var size = declared.Size == 0 ? WireFormat.Align(Math.Max(end, 1), alignment) : Math.Max(end, declared.Size);
        layout = new StructLayout(size, alignment, fields);
        return true;
    }

    private bool TryMeasure(IFieldSymbol field, HashSet<ISymbol> open, out StructLayout layout, out string? reason)
    {
        layout = default;
        reason = FieldRefusal(field);
        if (reason is not null)
        {
            return false;
        }

        if (ScalarTypes.KindOf(field.Type) is not { } scalar)
        {
            return TryLayOut((INamedTypeSymbol)field.Type, open, out layout, out reason);
        }

        layout = new StructLayout(scalar.Size, AlignmentInStruct(scalar), [(0, scalar.Size, scalar.Schema)]);
        return true;
    }

    // In a block the 16-byte types are aligned to 8; in a struct the CLR decides.
    private static int AlignmentInStruct(ValueKind scalar) => scalar.Schema switch
    {
        "guid" => 4,
        "i128" or "u128" => 16,
        _ => scalar.Alignment,
    };

    private static IEnumerable<IFieldSymbol> InstanceFields(INamedTypeSymbol type) =>
        type.GetMembers().OfType<IFieldSymbol>().Where(static field => field is { IsStatic: false, IsConst: false });

    private static bool Overlap(List<(int Offset, int Size, string Schema)> fields)
    {
        var end = 0;
        foreach (var (offset, size, _) in fields.OrderBy(static field => field.Offset))
        {
            if (offset < end)
            {
                return true;
            }

            end = offset + size;
        }

        return false;
    }

    private static string? Refusal(INamedTypeSymbol type, StructDeclaration declared)
    {
        if (!declared.IsKnown || InstanceFields(type).Any(static field => field.Name.StartsWith("_dummy", StringComparison.Ordinal)))
        {
            return $"the layout of '{type.Name}' is not known to the compiler; store its parts";
        }

        if (declared.IsAuto)
        {
            return $"the runtime may reorder the fields of '{type.Name}' (automatic layout); store its parts";
        }

        if (type.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "InlineArrayAttribute" }))
        {
            return $"'{type.Name}' is an inline array; store an array";
        }

        return CapturesParameters(type)
            ? $"the primary constructor of '{type.Name}' makes hidden fields; declare them as fields"
            : null;
    }

    private static string? FieldRefusal(IFieldSymbol field)
    {
        if (field.IsFixedSizeBuffer)
        {
            return $"the field '{field.Name}' is a fixed-size buffer; store an array";
        }

        if (field.Type is not INamedTypeSymbol type || type.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr)
        {
            return $"the field '{field.Name}' is a pointer or a native integer, whose size and meaning differ between processes; use a type of fixed size";
        }

        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            return $"the field '{field.Name}' may be null; make the struct a message, then it may";
        }

        return ScalarTypes.KindOf(type) is { IsChecked: true, Schema: not "bool" } scalar
            ? $"the field '{field.Name}' is a {scalar.Schema}, and not every bit pattern is one, so that it must be checked when read; make the struct a message"
            : null;
    }

    // A parameter that a body uses lives in a field that the compiler adds later. Names are compared, so that a doubtful case is refused.
    private static bool CapturesParameters(INamedTypeSymbol type) =>
        !type.IsRecord && type.DeclaringSyntaxReferences.Any(static reference =>
            reference.GetSyntax() is StructDeclarationSyntax { ParameterList: { } parameters } declaration
            && declaration.DescendantNodes()
                .OfType<IdentifierNameSyntax>()
                .Where(name => parameters.Parameters.Any(parameter => string.Equals(parameter.Identifier.ValueText, name.Identifier.ValueText, StringComparison.Ordinal)))
                .Any(static name => name.Ancestors().Any(static ancestor =>
                    ancestor is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or ArrowExpressionClauseSyntax)));

    private readonly record struct StructLayout(int Size, int Alignment, List<(int Offset, int Size, string Schema)> Fields);
}
