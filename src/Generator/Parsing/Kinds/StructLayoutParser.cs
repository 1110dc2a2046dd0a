using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that computes the layout of an unmanaged struct as the 64-bit CLR lays it out: fields in order, each aligned to its own alignment or to
/// Pack, if that is smaller. Refuses structs without a stable layout, and structs with values that need a check when read.
/// </summary>
internal sealed class StructLayoutParser(Compilation compilation)
{
    // The CLR's default for Pack; no field is aligned to more.
    private const int DefaultPack = 32;
    private const int MaxBlockAlignment = 8;
    private const int GuidAlignment = 4;
    private const int MostNested = 64;

    /// <summary>Gets the kind of a struct, or the reason why it has none.</summary>
    public KindResult Parse(INamedTypeSymbol type)
    {
        var open = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        if (!TryLayOut(type, open, out var layout, out var reason))
        {
            return reason is null ? KindResult.Silent : KindResult.Unstable(reason);
        }

        if (layout.Size > ushort.MaxValue)
        {
            return KindResult.Unstable(TooLarge(layout.Size));
        }

        // In a list, later elements would not be aligned. The CLR allows that; the format does not.
        if (layout.Size % Math.Min(layout.Alignment, MaxBlockAlignment) != 0)
        {
            return KindResult.Unstable("its Size is not a multiple of its alignment; omit Size, or set Pack too");
        }

        return new ValueKind(
            layout.Schema,
            type.GlobalName(),
            layout.Size,
            Math.Min(layout.Alignment, MaxBlockAlignment),
            IsChecked: false,
            PaddingOf(layout))
        {
            Notes = new EquatableArray<string>(layout.Notes),
        };
    }

    /// <summary>Determines whether the type of a field does not exist, so that it is not known yet whether the struct is a value. The compiler reports the field.</summary>
    public static bool HasUnknownField(INamedTypeSymbol type) => HasUnknownField(type, new HashSet<ISymbol>(SymbolEqualityComparer.Default));

    private static bool HasUnknownField(ITypeSymbol type, HashSet<ISymbol> seen) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: false } declared
        && seen.Count != MostNested
        && seen.Add(declared)
        && InstanceFields(declared).Any(field => field.Type.TypeKind == TypeKind.Error || HasUnknownField(field.Type, seen));

    private static EquatableArray<ushort> PaddingOf(StructLayout layout)
    {
        var padding = new List<ushort>();
        var end = 0;
        foreach (var (offset, size) in layout.Used.OrderBy(static part => part.Offset).Append((layout.Size, 0)))
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
        if (open.Count == MostNested)
        {
            // The compiler reports a struct that contains itself with other type arguments, such as an N<N<T>> in an N<T>. It has no innermost field.
            reason = $"it has structs more than {MostNested} deep in each other; store its parts";
            return false;
        }

        if (!open.Add(type))
        {
            // The compiler reports a struct that contains itself.
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
        var fields = new List<StructField>();
        var used = new List<(int Offset, int Size)>();
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
            var name = NameOf(field);
            fields.AddRange(inner.Fields.Select(part => part with { Offset = offset + part.Offset, Name = part.Name.Length == 0 ? name : $"{name}.{part.Name}" }));
            used.AddRange(inner.Used.Select(part => (offset + part.Offset, part.Size)));
        }

        open.Remove(type);
        if (Overlap(used))
        {
            reason = $"the fields of '{type.Name}' overlap, so the meaning of a value is unknown; store them as separate members";
            return false;
        }

        var size = declared.Size == 0 ? WireFormat.Align(Math.Max(end, 1), alignment) : Math.Max(end, declared.Size);
        var schema = $"struct({size}{Packing(alignment, fields)};{string.Join(",", fields.Select(static field => $"{field.Offset}:{field.Schema}"))})";
        layout = new StructLayout(schema, size, alignment, fields, used, [SchemaNote.OfFields(fields.Select(static field => field.Name)), .. fields.SelectMany(static field => field.Notes)]);
        return true;
    }

    // The schema text includes the packing, because structs with equal fields but different packing have different layouts.
    private static string Packing(int alignment, List<StructField> fields)
    {
        var natural = fields.Select(static field => field.Alignment).DefaultIfEmpty(1).Max();
        return Math.Min(alignment, MaxBlockAlignment) == Math.Min(natural, MaxBlockAlignment) ? "" : $"/{Math.Min(alignment, MaxBlockAlignment)}";
    }

    private bool TryMeasure(IFieldSymbol field, HashSet<ISymbol> open, out StructLayout layout, out string? reason)
    {
        var type = field is { IsFixedSizeBuffer: true, Type: IPointerTypeSymbol { PointedAtType: var element } } ? element : field.Type;
        layout = default;
        reason = FieldRefusal(field.Name, type);
        if (reason is not null)
        {
            return false;
        }

        if (ScalarTypes.KindOf(type) is { } scalar)
        {
            var alignment = AlignmentInStruct(scalar);
            layout = new StructLayout(scalar.Schema, scalar.Size, alignment, [new StructField(0, alignment, scalar.Schema, Name: "", scalar.Notes)], [(0, scalar.Size)], scalar.Notes);
        }
        else if (!TryLayOut((INamedTypeSymbol)type, open, out layout, out reason))
        {
            return false;
        }

        return RepetitionsOf(field) is not { } count || TryRepeat(count, ref layout, out reason);
    }

    // A property has a hidden field. The elements of an inline array have no name.
    private static string NameOf(IFieldSymbol field) => InlineArrayLength(field.ContainingType) is null ? field.AssociatedSymbol?.Name ?? Unmangled(field.Name) : "";

    // In metadata the hidden field of a property is not associated with it, and is called <X>k__BackingField.
    private static string Unmangled(string field) => field.StartsWith("<", StringComparison.Ordinal) && field.IndexOf('>') is > 1 and var end ? field.Substring(1, end - 1) : field;

    // An inline array has a single field, which is repeated for each element.
    private static int? RepetitionsOf(IFieldSymbol field) => field.IsFixedSizeBuffer ? field.FixedSize : InlineArrayLength(field.ContainingType);

    private static bool TryRepeat(int count, ref StructLayout layout, out string? reason)
    {
        var element = layout;
        if ((long)count * element.Size > ushort.MaxValue)
        {
            reason = TooLarge((long)count * element.Size);
            return false;
        }

        // An element without padding makes the whole array one used range.
        var used = PaddingOf(element).Count == 0
            ? [(0, count * element.Size)]
            : Enumerable.Range(0, count).SelectMany(i => element.Used.Select(part => ((i * element.Size) + part.Offset, part.Size))).ToList();
        var schema = $"{element.Schema}[{count}]";
        layout = new StructLayout(schema, count * element.Size, element.Alignment, [new StructField(0, element.Alignment, schema, Name: "", element.Notes)], used, element.Notes);
        reason = null;
        return true;
    }

    private static string TooLarge(long size) => $"it takes {size} bytes, but a struct can take at most {ushort.MaxValue}; make it a message";

    // In a block the 16-byte types are aligned to 8; in a struct the CLR decides.
    private static int AlignmentInStruct(ValueKind scalar) => scalar.Schema switch
    {
        "guid" => GuidAlignment,
        "i128" or "u128" => 16,
        _ => scalar.Alignment,
    };

    private static IEnumerable<IFieldSymbol> InstanceFields(INamedTypeSymbol type) =>
        type.GetMembers().OfType<IFieldSymbol>().Where(static field => field is { IsStatic: false, IsConst: false });

    private static bool Overlap(List<(int Offset, int Size)> used)
    {
        var end = 0;
        foreach (var (offset, size) in used.OrderBy(static part => part.Offset))
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
        if (IsGuarded(type))
        {
            return $"'{type.Name}' of the framework protects its fields, and a view could return values that it never has; store {(type.Is("System.Text", "Rune") ? "its Value" : "its parts")}";
        }

        if (!declared.IsKnown || IsAbridged(type))
        {
            return $"the layout of '{type.Name}' is not known to the compiler; store its parts";
        }

        if (declared.IsAuto)
        {
            return $"the runtime may reorder the fields of '{type.Name}' (automatic layout); store its parts";
        }

        // Generators do not see each other's code, and an analyzer reports the fields that another one adds.
        if (type.IsPartial() && !InstanceFields(type).Any())
        {
            return $"'{type.Name}' is partial and declares no fields, so another generator may add them; declare its fields, use a converter";
        }

        return CapturesParameters(type)
            ? $"the primary constructor of '{type.Name}' creates hidden fields; declare them as fields"
            : null;
    }

    // The reference assemblies of the framework have fields of such names in place of private ones.
    private static bool IsAbridged(INamedTypeSymbol type) =>
        type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && InstanceFields(type).Any(static field => field.Name.StartsWith("_dummy", StringComparison.Ordinal));

    // Structs of the framework may guarantee invariants that raw bytes can break: a Rune is never half of a surrogate pair. User structs are trusted.
    private static bool IsGuarded(INamedTypeSymbol type) =>
        type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty
        && type.IsInSystem()
        && InlineArrayLength(type) is null
        && InstanceFields(type).Any(static field => field.DeclaredAccessibility != Accessibility.Public);

    private static int? InlineArrayLength(INamedTypeSymbol type) =>
        type.GetAttributes().FirstOrDefault(static attribute => attribute.AttributeClass is { Name: "InlineArrayAttribute" }) is { ConstructorArguments: [{ Value: int length }] } ? length : null;

    private static string? FieldRefusal(string name, ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol || type.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr)
        {
            return $"the field '{name}' is a pointer or a native integer, whose size and meaning differ between processes; use a type of fixed size";
        }

        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            return $"the field '{name}' is nullable; make the struct a message, which can hold it";
        }

        return ScalarTypes.KindOf(type) is { IsChecked: true, Schema: not "bool" } scalar
            ? $"the field '{name}' is a {scalar.Schema}, which has invalid bit patterns and must be checked when read; make the struct a message"
            : null;
    }

    // The compiler stores a parameter that a body uses in a hidden field, which symbols of source do not show, and those of metadata call <x>P. Any part of the
    // struct may use it. Comparing names refuses doubtful cases too.
    private static bool CapturesParameters(INamedTypeSymbol type)
    {
        var parts = type.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax()).OfType<StructDeclarationSyntax>().ToList();
        var parameters = parts
            .Select(static part => part.ParameterList)
            .OfType<ParameterListSyntax>()
            .SelectMany(static list => list.Parameters)
            .Select(static parameter => parameter.Identifier.ValueText)
            .ToList();
        return InstanceFields(type).Any(static field => field.Name is ['<', .., '>', 'P'])
            || (parameters.Count != 0 && parts
                .SelectMany(static part => part.DescendantNodes())
                .OfType<IdentifierNameSyntax>()
                .Where(name => parameters.Contains(name.Identifier.ValueText, StringComparer.Ordinal))
                .Any(static name => name.Ancestors().Any(static ancestor =>
                    ancestor is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or ArrowExpressionClauseSyntax)));
    }

    /// <param name="Schema">The kind in the schema text.</param>
    /// <param name="Size">In bytes.</param>
    /// <param name="Alignment">The CLR's alignment, in bytes.</param>
    /// <param name="Fields">The fields with their alignments. Inner structs are flattened; an array is one field.</param>
    /// <param name="Used">The bytes that are not padding.</param>
    /// <param name="Notes">The notes on the structs and enums in the schema text, in their order.</param>
    private readonly record struct StructLayout(
        string Schema, int Size, int Alignment, List<StructField> Fields, List<(int Offset, int Size)> Used, IEnumerable<string> Notes);

    /// <param name="Offset">In bytes.</param>
    /// <param name="Alignment">The CLR's alignment, in bytes.</param>
    /// <param name="Schema">The kind in the schema text.</param>
    /// <param name="Name">The name, with those of the fields around it; empty for an element.</param>
    /// <param name="Notes">The notes on the kind.</param>
    private readonly record struct StructField(int Offset, int Alignment, string Schema, string Name, IEnumerable<string> Notes);
}
