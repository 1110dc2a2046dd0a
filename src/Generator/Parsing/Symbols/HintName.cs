using System.Globalization;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The names of generated files.</summary>
internal static class HintName
{
    // Cached by container: the types of a namespace are scanned once, not once per type.
    private static readonly ConditionalWeakTable<INamespaceOrTypeSymbol, HashSet<string>> Twins = new();

    /// <summary>
    /// Gets the name of a type's file. The compiler compares these names regardless of case, so the names of types that differ only in case
    /// end with a hash.
    /// </summary>
    public static string Of(INamedTypeSymbol type)
    {
        var fullName = type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString() + ".";
        var hint = fullName.Replace("@", "") + string.Join("+", type.Containers().Append(type).Select(static part => part.Name));
        if (!HasTwinByCase(type))
        {
            return hint + ".g.cs";
        }

        var hash = XxHash64.Hash(System.Text.Encoding.UTF8.GetBytes(hint));
        return hint + "-" + hash.ToString("x16", CultureInfo.InvariantCulture) + ".g.cs";
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
