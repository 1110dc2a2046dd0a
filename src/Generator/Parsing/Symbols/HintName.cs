using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The names of generated files.</summary>
internal static class HintName
{
    // In bytes. File systems take names of 255, and users may have the compiler write the files.
    private const int MaxLength = 200;
    private const int MaxBytesPerChar = 3;

    // Cached by container: the types of a namespace are scanned once, not once per type.
    private static readonly ConditionalWeakTable<INamespaceOrTypeSymbol, HashSet<string>> Twins = new();

    /// <summary>
    /// Gets the name of a type's file. The compiler compares these names regardless of case, so the names of types that differ only in case
    /// end with a hash. So do names that are too long for a file.
    /// </summary>
    public static string Of(INamedTypeSymbol type)
    {
        var fullName = type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString() + ".";
        var hint = fullName.Replace("@", "") + string.Join("+", type.Containers().Append(type).Select(static part => part.Name));
        var bytes = Encoding.UTF8.GetBytes(hint);
        var isLong = bytes.Length > MaxLength;
        if (!isLong && !HasTwinByCase(type))
        {
            return hint + ".g.cs";
        }

        var start = isLong ? hint.Substring(0, MaxLength / MaxBytesPerChar) : hint;
        return start + "-" + XxHash64.Hash(bytes).ToString("x16", CultureInfo.InvariantCulture) + ".g.cs";
    }

    private static bool HasTwinByCase(INamedTypeSymbol type)
    {
        for (INamespaceOrTypeSymbol symbol = type; symbol is not INamespaceSymbol { IsGlobalNamespace: true }; symbol = (INamespaceOrTypeSymbol)symbol.ContainingSymbol)
        {
            if (Twins.GetValue((INamespaceOrTypeSymbol)symbol.ContainingSymbol, FindTwins).Contains(symbol.Name))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Finds the names of namespaces and of types in a container that differ from another one only in case.</summary>
    private static HashSet<string> FindTwins(INamespaceOrTypeSymbol container)
    {
        var twins = new HashSet<string>(StringComparer.Ordinal);
        AddTwins(container.GetTypeMembers().Select(static type => type.Name), twins);
        AddTwins(container is INamespaceSymbol space ? space.GetNamespaceMembers().Select(static inner => inner.Name) : [], twins);
        return twins;
    }

    private static void AddTwins(IEnumerable<string> names, HashSet<string> twins)
    {
        foreach (var group in names.Distinct(StringComparer.Ordinal).GroupBy(static name => name, StringComparer.OrdinalIgnoreCase))
        {
            if (group.Skip(1).Any())
            {
                twins.UnionWith(group);
            }
        }
    }
}
