using System.Runtime.CompilerServices;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The check that user code does not declare the names that <see cref="GeneratedNames"/> defines.</summary>
internal static class NameRules
{
    // The public methods of a source, with the types of their parameters. Other parameters make an overload, which does not conflict.
    private static readonly (string Name, string[] Parameters)[] Methods = [(GeneratedNames.CalculateSize, []), (GeneratedNames.Write, ["Span"])];

    private const string ViewName = "ViewName";

    // Cached by container: the types of a namespace are scanned once, not once per type.
    private static readonly ConditionalWeakTable<INamespaceOrTypeSymbol, Dictionary<string, INamedTypeSymbol[]>> Generated = new();

    /// <summary>Checks the names that generated code declares beside a source or a union and in it.</summary>
    public static bool AreFree(INamedTypeSymbol type, IProblemSink? sink)
    {
        if (UnionType.IsUnion(type) && EnumProblem(type) is var (cases, enumName, enumReason))
        {
            sink?.Report(Rules.NameTaken, SourceType.AttributeOf(type), cases, enumName, enumReason);
            return false;
        }

        if ((ViewProblem(type) ?? WriterProblem(type) ?? HidingProblem(type)) is var (what, name, reason))
        {
            sink?.Report(Rules.NameTaken, type, what, name, reason);
            return false;
        }

        if (string.Equals(type.Name, GeneratedNames.Block, StringComparison.Ordinal))
        {
            sink?.Report(Rules.NameTaken, type, $"The generated block of '{type.Name}'", type.Name, "the type itself has that name; rename it");
            return false;
        }

        if (HasMember(type, GeneratedNames.Block) && VisibleMembers(type, GeneratedNames.Block).FirstOrDefault() is { } member)
        {
            sink?.Report(Rules.NameTaken, member, $"The generated block of '{member.ContainingType.Name}'", GeneratedNames.Block, "the type has a member of that name; rename it");
            return false;
        }

        // The generator reports it.
        return PositionalConflict(type) is null;
    }

    /// <summary>Determines whether the names of the view and the writer are free. Both follow <c>ViewName</c>.</summary>
    public static bool AreViewNamesFree(INamedTypeSymbol type) => ViewProblem(type) is null && WriterProblem(type) is null;

    /// <summary>Determines whether a view of a source or a union, and its writer, can get a name.</summary>
    public static bool CanSetViewName(INamedTypeSymbol type, string name) =>
        IsFreeBeside(type, name)
        && (SourceType.WriterNameOf(type) is null || IsFreeBeside(type, GeneratedNames.WriterOf(name)))
        && !InView(type).Contains(name, StringComparer.Ordinal)
        && !HasMember(type, name);

    /// <summary>Finds the positional parameter of a record that has the name of a generated method of a base, and that base; null if there is none.</summary>
    public static (IParameterSymbol Parameter, INamedTypeSymbol Base)? PositionalConflict(INamedTypeSymbol type)
    {
        foreach (var method in type.IsRecord ? Methods : [])
        {
            // The nearest base with a member of the name decides: C# gives the parameter the property of that base, but no property beside a method.
            if (PositionalParameter(type, method.Name) is { } parameter
                && type.DerivedFirst().Skip(1).FirstOrDefault(current => UnionType.HasGeneratedCode(current) || current.GetMembers(method.Name).Any(IsValue)) is { } nearest
                && UnionType.HasGeneratedCode(nearest)
                && !IsTaken(nearest, method))
            {
                return (parameter, nearest);
            }
        }

        return null;
    }

    /// <summary>Explains why a member cannot have its name in a view or a writer, and the remedy; null if it can.</summary>
    /// <param name="source">The source.</param>
    /// <param name="inView">The names in its view.</param>
    /// <param name="member">The member.</param>
    public static (string What, string Reason)? MemberProblem(INamedTypeSymbol source, IReadOnlyList<string> inView, ISymbol member)
    {
        if (!inView.Contains(member.Name, StringComparer.Ordinal))
        {
            return IsTakenInWriter(source, member.Name) ? ProblemInWriter(source, member) : null;
        }

        return string.Equals(member.Name, GeneratedNames.IsNull, StringComparison.Ordinal)
            ? ($"{Title(member)} in a view", "every view has its own member of that name; rename the member, or exclude it with [BufferedIgnore]")
            : ($"{Title(member)} in the view of '{source.Name}'", "the view has its own member of that name; rename the member, or exclude it with [BufferedIgnore]");
    }

    /// <summary>Explains that a member cannot have its name in the writer of a source, and the remedy.</summary>
    public static (string What, string Reason) ProblemInWriter(INamedTypeSymbol source, ISymbol member) =>
        ($"{Title(member)} in the writer of '{source.Name}'", "the writer has a method or a type of that name; rename the member, or exclude it with [BufferedIgnore]");

    /// <summary>Determines whether the size method must be an explicit implementation, because its name is taken.</summary>
    public static bool IsSizeTaken(INamedTypeSymbol type) => IsTaken(type, Methods[0]);

    /// <summary>Determines whether the write method must be an explicit implementation, because its name is taken.</summary>
    public static bool IsWriteTaken(INamedTypeSymbol type) => IsTaken(type, Methods[1]);

    private static bool IsTaken(INamedTypeSymbol type, (string Name, string[] Parameters) method) =>
        string.Equals(type.Name, method.Name, StringComparison.Ordinal)
        || (HasMember(type, method.Name) && VisibleMembers(type, method.Name).Any(member => IsTaking(member, method.Parameters)));

    private static string Title(ISymbol member) => $"The member '{member.ContainingType.Name}.{member.Name}'";

    private static bool IsTakenInWriter(INamedTypeSymbol source, string name) =>
        SourceType.WriterNameOf(source) is { } writer
        && (string.Equals(name, writer, StringComparison.Ordinal) || string.Equals(GeneratedNames.AppendOf(name), writer, StringComparison.Ordinal));

    private static (string What, string Name, string Reason)? ViewProblem(INamedTypeSymbol type)
    {
        var name = SourceType.ViewNameOf(type);
        var reason = SourceType.AttributeOf(type).NameSetBy(ViewName) is not null && InView(type).Contains(name, StringComparer.Ordinal)
            ? "a member of the view has that name; set another ViewName"
            : SiblingProblem(type, name, ViewName, isPartial: true);
        return reason is null ? null : ($"The view of '{type.Name}'", name, reason);
    }

    // Checked for a ViewName only: a default name never equals one of these.
    private static IReadOnlyList<string> InView(INamedTypeSymbol type) => UnionType.IsUnion(type)
        ? GeneratedNames.InUnion(UnionType.SimpleNameOf(type), UnionType.CaseNamesOf(type))
        : [GeneratedNames.IsNull, GeneratedNames.Text, GeneratedNames.CopyTo(type.Name)];

    private static (string What, string Name, string Reason)? WriterProblem(INamedTypeSymbol type) =>
        SourceType.WriterNameOf(type) is { } name && SiblingProblem(type, name, ViewName, isPartial: true) is { } reason
            ? ($"The writer of '{type.Name}'", name, reason)
            : null;

    private static (string What, string Name, string Reason)? EnumProblem(INamedTypeSymbol union)
    {
        var name = UnionType.EnumNameOf(union);
        var reason = string.Equals(name, SourceType.ViewNameOf(union), StringComparison.Ordinal)
            ? "the view has that name; set another CaseName"
            : SiblingProblem(union, name, "CaseName", isPartial: false);
        return reason is null ? null : ($"The enum with the cases of '{union.Name}'", name, reason);
    }

    // A base has methods that write messages of the base. If the type's own methods cannot hide them, callers would silently call the base's.
    private static (string What, string Name, string Reason)? HidingProblem(INamedTypeSymbol type)
    {
        foreach (var (method, parameters) in Methods)
        {
            var reason = string.Equals(type.Name, method, StringComparison.Ordinal) ? "a type cannot have a member of its own name; rename the type"
                : HasHiddenMember(type, method, parameters) ? "a member of that name is not public; rename it"
                : null;
            if (reason is not null && UnionType.HasEmittedBase(type))
            {
                return ($"The method of '{type.Name}' that hides the one of its base", method, reason);
            }
        }

        return null;
    }

    // Asks the constructor, because the compiler creates no property beside a method that is already generated. The user may declare the property instead.
    private static IParameterSymbol? PositionalParameter(INamedTypeSymbol type, string name) =>
        type.GetMembers(name).Any(static member => IsValue(member) && member.DeclaringSyntaxReferences is [var declaration] && declaration.GetSyntax() is not ParameterSyntax)
            ? null
            : type.InstanceConstructors
                .Where(static constructor => constructor.DeclaringSyntaxReferences is [var declaration] && declaration.GetSyntax() is RecordDeclarationSyntax)
                .SelectMany(static constructor => constructor.Parameters)
                .FirstOrDefault(parameter => string.Equals(parameter.Name, name, StringComparison.Ordinal));

    private static bool IsValue(ISymbol member) => member is IPropertySymbol or IFieldSymbol;

    // Members of bases count too, up to the nearest base with generated code: its own methods have given way to the members of its bases.
    private static bool HasHiddenMember(INamedTypeSymbol type, string method, string[] parameters) =>
        HasMember(type, method)
        && VisibleMembers(type, method).Any(member =>
            member.DeclaredAccessibility != Accessibility.Public
            && IsTaking(member, parameters)
            && !type.DerivedFirst()
                .TakeWhile(current => !SymbolEqualityComparer.Default.Equals(current, member.ContainingType))
                .Append(member.ContainingType)
                .Skip(1)
                .Any(UnionType.HasGeneratedCode));

    private static bool IsTaking(ISymbol member, string[] parameters) =>
        !member.IsGenerated()
        && (member is not IMethodSymbol { Arity: 0 } method || method.Parameters.Select(static parameter => parameter.Type.Name).SequenceEqual(parameters, StringComparer.Ordinal));

    private static string? SiblingProblem(INamedTypeSymbol type, string name, string property, bool isPartial)
    {
        if (!SyntaxFacts.IsValidIdentifier(name))
        {
            return $"that is not a C# identifier; set another {property}";
        }

        if (IsTakenBeside(type, name, isPartial))
        {
            return $"another declaration has that name; set {property} on the attribute";
        }

        // Default names differ as the names of their types do, so they need no comparison.
        var isDefault = SourceType.AttributeOf(type).NameSetBy(property) is null && string.Equals(UnionType.SimpleNameOf(type), type.Name, StringComparison.Ordinal);
        return !isDefault && GeneratedTwin(type, name) is { } twin ? $"generated code for '{twin.Name}' has that name too; set {property} on one of them" : null;
    }

    private static bool IsFreeBeside(INamedTypeSymbol type, string name) => !IsTakenBeside(type, name, isPartial: false) && GeneratedTwin(type, name) is null;

    private static bool IsTakenBeside(INamedTypeSymbol type, string name, bool isPartial)
    {
        var siblings = type.ContainingType is { } container
            ? HasMember(container, name) ? VisibleMembers(container, name) : []
            : type.ContainingNamespace.GetMembers(name);
        foreach (var sibling in siblings)
        {
            // The user may add a part to the view: a partial ref struct.
            if (sibling is not INamedTypeSymbol { Arity: > 0 } && !(isPartial && sibling is INamedTypeSymbol { IsRefLikeType: true }) && !sibling.IsGenerated())
            {
                return true;
            }
        }

        return string.Equals(type.ContainingType?.Name, name, StringComparison.Ordinal);
    }

    private static INamedTypeSymbol? GeneratedTwin(INamedTypeSymbol type, string name) =>
        Generated.GetValue((INamespaceOrTypeSymbol)type.ContainingSymbol, FindGenerated).TryGetValue(name, out var owners)
            ? Array.Find(owners, other => !SymbolEqualityComparer.Default.Equals(other, type))
            : null;

    private static Dictionary<string, INamedTypeSymbol[]> FindGenerated(INamespaceOrTypeSymbol container) =>
        container.GetTypeMembers()
            .Where(static type => SourceType.IsSource(type) || UnionType.IsUnion(type))
            .SelectMany(static type => NamesBeside(type).Select(name => (Type: type, Name: name)))
            .GroupBy(static generated => generated.Name, StringComparer.Ordinal)
            .ToDictionary(static group => group.Key, static group => group.Select(static generated => generated.Type).ToArray(), StringComparer.Ordinal);

    private static IEnumerable<string> NamesBeside(INamedTypeSymbol type) =>
        new[] { SourceType.ViewNameOf(type), SourceType.WriterNameOf(type), UnionType.IsUnion(type) ? UnionType.EnumNameOf(type) : null }.OfType<string>();

    /// <summary>Determines whether any member has the name: a fast check, as this runs for the type of every member.</summary>
    private static bool HasMember(INamedTypeSymbol type, string name)
    {
        for (var current = type; current is { SpecialType: SpecialType.None }; current = current.BaseType)
        {
            if (!current.GetMembers(name).IsEmpty)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Gets the members of a name that a user wrote and that are visible in the type: its own, and those of its bases that are not private.</summary>
    private static IEnumerable<ISymbol> VisibleMembers(INamedTypeSymbol type, string name) =>
        type.DerivedFirst().SelectMany(current => current.GetMembers(name).Where(member =>
            !member.IsGenerated() && (SymbolEqualityComparer.Default.Equals(current, type) || member.DeclaredAccessibility != Accessibility.Private)));
}
