using System.Globalization;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The fixed-size types that the wire format knows by name.</summary>
internal static class ScalarTypes
{
    private const int MaxAlignment = 8;

    /// <summary>Gets the kind of a scalar or an enum; null for other types.</summary>
    public static ValueKind? KindOf(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } underlying })
        {
            return KindOf(underlying) is { } number
                ? number with { Schema = $"enum({number.Schema})", Type = type.GlobalName(), Notes = new EquatableArray<string>([SchemaNote.OfEnum(EnumMembers(type))]) }
                : null;
        }

        return Describe(type) is var (schema, size, alignment, isChecked)
            ? new ValueKind(schema, type.GlobalName(), size, alignment, isChecked, default)
            : null;
    }

    /// <summary>Determines whether a value can be the key of a dictionary: equal values must have equal bytes.</summary>
    public static bool IsKey(ValueKind value) =>
        value.Schema is "bool" or "char" or "u8" or "i8" or "u16" or "i16" or "u32" or "i32" or "u64" or "i64" or "u128" or "i128" or "guid" or "dateonly" or "timespan"
        || value.Schema.StartsWith("enum(", StringComparison.Ordinal);

    private static IEnumerable<string> EnumMembers(ITypeSymbol type) =>
        type.GetMembers().OfType<IFieldSymbol>().Where(static field => field.HasConstantValue)
            .Select(static field => string.Format(CultureInfo.InvariantCulture, "{0}={1}", field.Name, field.ConstantValue));

    /// <summary>Gets schema name, size and alignment in bytes within a block, and whether some bit patterns are invalid.</summary>
    private static (string Schema, int Size, int Alignment, bool IsChecked)? Describe(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean => ("bool", 1, 1, true),
        SpecialType.System_Byte => ("u8", 1, 1, false),
        SpecialType.System_SByte => ("i8", 1, 1, false),
        SpecialType.System_Int16 => ("i16", 2, 2, false),
        SpecialType.System_UInt16 => ("u16", 2, 2, false),
        SpecialType.System_Char => ("char", 2, 2, false),
        SpecialType.System_Int32 => ("i32", 4, 4, false),
        SpecialType.System_UInt32 => ("u32", 4, 4, false),
        SpecialType.System_Int64 => ("i64", 8, 8, false),
        SpecialType.System_UInt64 => ("u64", 8, 8, false),
        SpecialType.System_Single => ("f32", 4, 4, false),
        SpecialType.System_Double => ("f64", 8, 8, false),
        SpecialType.System_Decimal => ("decimal", 16, MaxAlignment, true),
        SpecialType.System_DateTime => ("datetime", 8, 8, true),
        SpecialType.None when type is INamedTypeSymbol { IsValueType: true, ContainingType: null } named && named.ContainingNamespace.IsNamed("System") => named.MetadataName switch
        {
            "Half" => ("f16", 2, 2, false),
            "Guid" => ("guid", 16, MaxAlignment, false),
            "Int128" => ("i128", 16, MaxAlignment, false),
            "UInt128" => ("u128", 16, MaxAlignment, false),
            "DateTimeOffset" => ("datetimeoffset", 16, MaxAlignment, true),
            "TimeSpan" => ("timespan", 8, 8, false),
            "DateOnly" => ("dateonly", 4, 4, true),
            "TimeOnly" => ("timeonly", 8, 8, true),
            _ => null,
        },
        _ => null,
    };
}
