using System.Globalization;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The names that generated code brings, and whether the user's code leaves them free.</summary>
internal static class GeneratedNames
{
    private const string NullMember = "IsNull";
    private const string WritePrefix = "Write";

    // By container: a namespace of many types is looked through once, not once for each of them.
    private static readonly ConditionalWeakTable<INamespaceOrTypeSymbol, HashSet<string>> Twins = new();

    /// <summary>Checks the names of the view and of the nested plumbing class.</summary>
    public static bool AreFree(INamedTypeSymbol type, IProblemSink? sink)
    {
        var view = SourceType.ViewNameOf(type);
        var reason = ViewProblem(type, view);
        if (reason is null && sink is not null && ViewTwin(type, view) is { } twin)
        {
            reason = $"the view of '{twin.Name}' has that name too; set ViewName on one of them";
        }

        if (reason is not null)
        {
            sink?.Report(Problem.NameTaken, type, $"The view of '{type.Name}'", view, reason);
            return false;
        }

        if (SourceType.WriterNameOf(type) is { } writer && ViewProblem(type, writer) is { } taken)
        {
            sink?.Report(Problem.NameTaken, type, $"The writer of '{type.Name}'", writer, taken);
            return false;
        }

        if (type.GetMembers(SourceType.BlockName).FirstOrDefault(static member => !member.IsGenerated()) is { } member)
        {
            sink?.Report(Problem.NameTaken, member, $"The plumbing of '{type.Name}'", SourceType.BlockName, "the type has a member of that name; rename it");
            return false;
        }

        return true;
    }

    /// <summary>Checks the name of the enum with a union's cases.</summary>
    public static bool IsEnumFree(INamedTypeSymbol union, IProblemSink? sink)
    {
        var name = UnionType.EnumNameOf(union);
        var reason = !SyntaxFacts.IsValidIdentifier(name) ? "that is no C# identifier; set another CaseName"
            : ((INamespaceOrTypeSymbol)union.ContainingSymbol).GetMembers(name).Any(static sibling => !sibling.IsGenerated()) ? "another declaration has that name; set CaseName on the attribute"
            : null;
        if (reason is null)
        {
            return true;
        }

        sink?.Report(Problem.NameTaken, union.ProductAttribute(UnionType.AttributeName)!, $"The enum with the cases of '{union.Name}'", name, reason);
        return false;
    }

    /// <summary>The names that a view needs for itself.</summary>
    /// <param name="name">The name of what it copies the message to.</param>
    /// <param name="view">The name of the view.</param>
    public static IEnumerable<string> InView(string name, string view) => [NullMember, "To" + name, view];

    /// <summary>Whether a member's name is one of those.</summary>
    public static bool IsTakenInView(string memberName, string name, string view) => InView(name, view).Contains(memberName, StringComparer.Ordinal);

    /// <summary>Whether a member's name is one that the writer, if there is one, needs for itself.</summary>
    public static bool IsTakenInWriter(INamedTypeSymbol type, string memberName) =>
        SourceType.WriterNameOf(type) is { } writer
        && (string.Equals(memberName, writer, StringComparison.Ordinal)
            || (memberName.StartsWith(WritePrefix, StringComparison.Ordinal)
                && type.DerivedFirst().Any(current => current.GetMembers(memberName.Substring(WritePrefix.Length)).Any(static member => member is IPropertySymbol or IFieldSymbol))));

    /// <summary>Whether the user's code has a member of this name, so that the generated one is an explicit implementation.</summary>
    public static bool IsTakenInSource(INamedTypeSymbol type, string memberName) =>
        type.DerivedFirst()
            .Where(current => SymbolEqualityComparer.Default.Equals(current, type) || !SourceType.IsSource(current))
            .SelectMany(current => current.GetMembers(memberName))
            .Any(member => !member.IsGenerated() && !IsOverload(member));

    /// <summary>
    /// The name of the generated file. The compiler compares these names without regard to case, so a type whose name differs from
    /// another one only in case gets a hash of its name behind it.
    /// </summary>
    public static string HintNameOf(INamedTypeSymbol type)
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

    // The generated methods take nothing, or a span; others of the same name stand beside them.
    private static bool IsOverload(ISymbol member) =>
        member is IMethodSymbol { Parameters: [not { Type: INamedTypeSymbol { Name: "Span" } }] or { Length: > 1 } };

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

    /// <summary>The names of namespaces, and those of types, that differ from another one in a container only by case.</summary>
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

    private static string? ViewProblem(INamedTypeSymbol type, string view)
    {
        if (!SyntaxFacts.IsValidIdentifier(view))
        {
            return "that is no C# identifier; set another ViewName";
        }

        // A part of the view that the user writes is welcome; it is a partial ref struct like ours.
        var siblings = ((INamespaceOrTypeSymbol)type.ContainingSymbol).GetMembers(view);
        return siblings.Any(static sibling => sibling is not INamedTypeSymbol { Arity: > 0 } and not INamedTypeSymbol { IsRefLikeType: true })
            ? "another declaration has that name; set ViewName on the attribute"
            : null;
    }

    // Names that follow from those of the types are as different as these. So the many types with such a name need not be compared.
    private static INamedTypeSymbol? ViewTwin(INamedTypeSymbol type, string view) =>
        string.Equals(view, SourceType.ViewNameFrom(type.Name), StringComparison.Ordinal)
            ? null
            : ((INamespaceOrTypeSymbol)type.ContainingSymbol).GetTypeMembers().FirstOrDefault(other =>
                !SymbolEqualityComparer.Default.Equals(other, type)
                && (SourceType.IsSource(other) || UnionType.IsUnion(other))
                && string.Equals(SourceType.ViewNameOf(other), view, StringComparison.Ordinal));
}
