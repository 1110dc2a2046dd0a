using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that chooses the constructor for <c>ToX()</c>, and how each member gets its value. All parameters must match stored members by name and
/// type. The constructor that restores the most members without a setter wins; then one without parameters; then the longest. The one that C# gives every struct
/// does not run initializers, so it comes last if there are any.
/// </summary>
/// <param name="source">The source.</param>
/// <param name="compilation">Its compilation.</param>
/// <param name="members">Its members.</param>
internal sealed class ConstructorParser(INamedTypeSymbol source, Compilation compilation, IReadOnlyList<ISymbol> members)
{
    private (IMethodSymbol Symbol, int[] Arguments)? _chosen;
    private bool _isChosen;

    /// <summary>Gets the constructor, and the members that are its arguments; null if none fits.</summary>
    public (IMethodSymbol Symbol, int[] Arguments)? Chosen
    {
        get
        {
            if (!_isChosen)
            {
                (_chosen, _isChosen) = (Choose(), true);
            }

            return _chosen;
        }
    }

    /// <summary>Determines whether a copy can restore a member, by a setter that generated code can call or by the constructor.</summary>
    public bool CanRestore(ISymbol member) =>
        SetterOf(member) != MemberRestore.None || (Chosen is var (_, arguments) && arguments.Any(argument => ReferenceEquals(members[argument], member)));

    /// <summary>Gets the way in which a copy restores a member.</summary>
    public MemberRestore RestoreOf(int member)
    {
        if (Chosen is not var (_, arguments))
        {
            return MemberRestore.None;
        }

        // C# demands required members in the initializer, even if the constructor sets them.
        return MemberCandidate.IsRequiredMember(members[member]) ? MemberRestore.Initializer
            : arguments.Contains(member) ? MemberRestore.Constructor
            : SetterOf(members[member]);
    }

    private (IMethodSymbol Symbol, int[] Arguments)? Choose()
    {
        (IMethodSymbol Symbol, int[] Arguments)? best = null;
        foreach (var constructor in source.InstanceConstructors)
        {
            if (Match(constructor) is { } arguments && (best is not { } other || RankOf(constructor, arguments).CompareTo(RankOf(other.Symbol, other.Arguments)) > 0))
            {
                best = (constructor, arguments);
            }
        }

        return best;
    }

    private (int Restored, int HasNoParameters, int Length) RankOf(IMethodSymbol constructor, int[] arguments) =>
        (arguments.Count(ordinal => SetterOf(members[ordinal]) == MemberRestore.None), arguments.Length == 0 && !SkipsInitializers(constructor) ? 1 : 0, arguments.Length);

    private bool SkipsInitializers(IMethodSymbol constructor) =>
        source.IsValueType
        && constructor.IsImplicitlyDeclared
        && source.DeclaringSyntaxReferences
            .Select(static reference => reference.GetSyntax())
            .OfType<TypeDeclarationSyntax>()
            .SelectMany(static part => part.Members)
            .Any(HasInitializer);

    private static bool HasInitializer(MemberDeclarationSyntax member) =>
        !member.Modifiers.Any(SyntaxKind.StaticKeyword)
        && !member.Modifiers.Any(SyntaxKind.ConstKeyword)
        && member switch
        {
            PropertyDeclarationSyntax property => property.Initializer is not null,
            BaseFieldDeclarationSyntax field => field.Declaration.Variables.Any(static variable => variable.Initializer is not null),
            _ => false,
        };

    private int[]? Match(IMethodSymbol constructor)
    {
        var isCopy = source.IsRecord
            && constructor.Parameters is [{ Type: var type }]
            && SymbolEqualityComparer.Default.Equals(type, source);
        if (isCopy || constructor.Parameters.Any(static parameter => parameter.RefKind is RefKind.Ref or RefKind.Out))
        {
            return null;
        }

        var arguments = constructor.Parameters.Select(OrdinalOf).ToArray();
        return arguments.Any(static ordinal => ordinal < 0) ? null : arguments;
    }

    private int OrdinalOf(IParameterSymbol parameter)
    {
        // Names match regardless of case; an exact match is preferred.
        var found = -1;
        for (var i = 0; i < members.Count; i++)
        {
            if (string.Equals(members[i].Name, parameter.Name, StringComparison.OrdinalIgnoreCase)
                && compilation.IsSame(members[i].MemberType(), parameter.Type)
                && (found < 0 || string.Equals(members[i].Name, parameter.Name, StringComparison.Ordinal)))
            {
                found = i;
            }
        }

        return found;
    }

    private MemberRestore SetterOf(ISymbol symbol)
    {
        if (symbol is IFieldSymbol field)
        {
            return field.IsReadOnly ? MemberRestore.None : MemberRestore.Assignment;
        }

        for (var property = (IPropertySymbol)symbol; property is not null; property = property.OverriddenProperty)
        {
            if (property.SetMethod is { } setter)
            {
                // Generated code is part of the source type, so it can call the type's private setters.
                return !compilation.IsSymbolAccessibleWithin(setter, source, source) ? MemberRestore.None
                    : setter.IsInitOnly ? MemberRestore.Initializer
                    : MemberRestore.Assignment;
            }
        }

        return MemberRestore.None;
    }
}
