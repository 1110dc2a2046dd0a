using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.CodeFixes;

/// <summary>The mapping from kinds of the schema text to C# types.</summary>
internal static class WireKindType
{
    private const string ListPrefix = "list(";
    private const string MessagePrefix = "message(";
    private const string UnionPrefix = "union(";
    private const string SetPrefix = "set(";
    private const string DictionaryPrefix = "dictionary(";

    /// <summary>Gets the type in C# syntax; null for kinds that do not determine their type.</summary>
    public static string? Of(string kind, Compilation compilation)
    {
        if (kind.EndsWith("?", StringComparison.Ordinal))
        {
            return Of(kind.Substring(0, kind.Length - 1), compilation) is { } value ? value + "?" : null;
        }

        if (kind.StartsWith(ListPrefix, StringComparison.Ordinal))
        {
            return Of(Inner(kind, ListPrefix), compilation) is { } element ? $"global::System.Collections.Generic.List<{element}>" : null;
        }

        if (kind.StartsWith(SetPrefix, StringComparison.Ordinal))
        {
            return Of(Inner(kind, SetPrefix), compilation) is { } element ? $"global::System.Collections.Generic.HashSet<{element}>" : null;
        }

        if (kind.StartsWith(DictionaryPrefix, StringComparison.Ordinal))
        {
            return Dictionary(Inner(kind, DictionaryPrefix), compilation);
        }

        if (kind.StartsWith(MessagePrefix, StringComparison.Ordinal))
        {
            return Declared(Inner(kind, MessagePrefix), SourceType.IsSource, compilation);
        }

        return kind.StartsWith(UnionPrefix, StringComparison.Ordinal) ? Declared(Inner(kind, UnionPrefix), UnionType.IsUnion, compilation) : Scalar(kind);
    }

    private static string Inner(string kind, string prefix) => kind.Substring(prefix.Length, kind.Length - prefix.Length - 1);

    // The kind of a key contains no comma.
    private static string? Dictionary(string kinds, Compilation compilation)
    {
        var comma = kinds.IndexOf(',');
        return comma >= 0 && Of(kinds.Substring(0, comma), compilation) is { } key && Of(kinds.Substring(comma + 1), compilation) is { } value
            ? $"global::System.Collections.Generic.Dictionary<{key}, {value}>"
            : null;
    }

    // The schema text separates nested types by dots, as C# does.
    private static string? Declared(string name, Func<INamedTypeSymbol, bool> isOne, Compilation compilation) =>
        compilation.GetSymbolsWithName(name.Substring(name.LastIndexOf('.') + 1), SymbolFilter.Type)
            .OfType<INamedTypeSymbol>()
            .FirstOrDefault(type => isOne(type) && SourceType.FullNameOf(type) == name)
            ?.GlobalName();

    private static string? Scalar(string kind) => kind switch
    {
        "bool" => "bool",
        "char" => "char",
        "u8" => "byte",
        "i8" => "sbyte",
        "u16" => "ushort",
        "i16" => "short",
        "u32" => "uint",
        "i32" => "int",
        "u64" => "ulong",
        "i64" => "long",
        "u128" => "global::System.UInt128",
        "i128" => "global::System.Int128",
        "f16" => "global::System.Half",
        "f32" => "float",
        "f64" => "double",
        "decimal" => "decimal",
        "guid" => "global::System.Guid",
        "datetime" => "global::System.DateTime",
        "datetimeoffset" => "global::System.DateTimeOffset",
        "timespan" => "global::System.TimeSpan",
        "dateonly" => "global::System.DateOnly",
        "timeonly" => "global::System.TimeOnly",
        "string" => "string",
        "binary" => "byte[]",
        _ => null,
    };
}
