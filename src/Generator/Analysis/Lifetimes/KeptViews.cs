using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The distinction of views that live on from views that are used only within the expression that takes them.</summary>
internal static class KeptViews
{
    /// <summary>Determines whether a view or a reference may outlive the expression that takes it.</summary>
    public static bool IsKept(IOperation view, LifetimeTypes types)
    {
        var role = types.RoleOf(view.Type);
        if (role != LifetimeRole.View)
        {
            // A view that is taken from a reference to a delivery is looked at there.
            return role == LifetimeRole.None && IsReference(view) && IsKeptReference(view, types);
        }

        switch (view.Parent)
        {
            case IConversionOperation conversion:
                return IsKept(conversion, types);
            case IPropertyReferenceOperation property when property.Instance == view:
                return !MemberUse.TakesScoped(property.Property) && IsKept(property, types);
            case IFieldReferenceOperation field:
                return IsKept(field, types);
            case IInvocationOperation call when call.Instance == view:
                return !MemberUse.TakesScoped(call.TargetMethod) && (IsKept(call, types) || IsGivenBy(call, source: null, types));
            case IImplicitIndexerReferenceOperation part:
                return IsKept(part, types);
            case IArgumentOperation argument:
                return IsKeptByCall(argument, types);
            case IConditionalOperation choice:
                return IsKept(choice, types);
            case ISwitchExpressionArmOperation { Parent: ISwitchExpressionOperation choice }:
                return IsKept(choice, types);
            case IPropertySubpatternOperation part when part.Member == view:
                return Declares(part.Pattern, types);
            case IIsPatternOperation match:
                return Declares(match.Pattern, types);
            case ISwitchExpressionOperation choice:
                return choice.Arms.Any(arm => Declares(arm.Pattern, types));
            case ISwitchOperation choice:
                return choice.Cases.SelectMany(static section => section.Clauses).OfType<IPatternCaseClauseOperation>().Any(clause => Declares(clause.Pattern, types));
            case IBinaryOperation or IUnaryOperation or IInterpolationOperation or ISpreadOperation or INameOfOperation or IExpressionStatementOperation or ISimpleAssignmentOperation { Target: IDiscardOperation }:
                return false;
            default:
                return true;
        }
    }

    /// <summary>Determines whether a call may give a view to a variable: to one that it receives by reference, or to the ref struct whose method it is.</summary>
    /// <param name="call">The call of a method or a constructor, or the use of an indexer.</param>
    /// <param name="source">The argument that is the view, or that gives it; null if the receiver does.</param>
    /// <param name="types">The types that the rules track.</param>
    public static bool IsGivenBy(IOperation call, IArgumentOperation? source, LifetimeTypes types)
    {
        var method = call as IInvocationOperation;

        // By the compiler's rules a method may return a reference that it receives, also by an 'out' parameter, but not store it.
        var canBeStored = types.RoleOf((source?.Value ?? method?.Instance)?.Type) == LifetimeRole.View;
        return ArgumentsOf(call).Any(argument =>
                argument != source
                && argument is { Value: not IDiscardOperation, Parameter: { } parameter }
                && (parameter.RefKind == RefKind.Out || (canBeStored && parameter.RefKind == RefKind.Ref))
                && types.RoleOf(parameter.Type) == LifetimeRole.View)
            || (canBeStored && source is not null && method is { Instance: { } receiver, TargetMethod.IsReadOnly: false } && types.RoleOf(receiver.Type) == LifetimeRole.View);
    }

    /// <summary>Gets the object that a member belongs to, also if a pattern looks at it; null for static members, and for an element of a list that a pattern looks at.</summary>
    public static IOperation? OwnerOf(IMemberReferenceOperation member) =>
        member.Instance is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.PatternInput } ? ValueOf(member.Parent?.Parent) : member.Instance;

    /// <summary>Gets the value that a pattern matches: for a part of a deconstruction, the pattern around it; null for an element of a list.</summary>
    public static IOperation? ValueOf(IOperation? pattern) => pattern?.Parent switch
    {
        IIsPatternOperation match => match.Value,
        ISwitchExpressionArmOperation { Parent: ISwitchExpressionOperation choice } => choice.Value,
        IPatternCaseClauseOperation { Parent.Parent: ISwitchOperation choice } => choice.Value,
        IPropertySubpatternOperation part => part.Member,
        IRecursivePatternOperation parts => parts,
        INegatedPatternOperation negated => ValueOf(negated),
        IBinaryPatternOperation both => ValueOf(both),
        _ => null,
    };

    /// <summary>Determines whether the use of a property or the call of a method gives a reference to a variable.</summary>
    public static bool IsReference(IOperation operation) => operation switch
    {
        IPropertyReferenceOperation property => property.Property.ReturnsByRef || property.Property.ReturnsByRefReadonly,
        IInvocationOperation call => call.TargetMethod.ReturnsByRef || call.TargetMethod.ReturnsByRefReadonly,
        _ => false,
    };

    // A reference that is used as a value is copied.
    private static bool IsKeptReference(IOperation reference, LifetimeTypes types) => reference.Parent switch
    {
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } => declarator.Symbol.IsRef,
        ISimpleAssignmentOperation assignment => assignment.IsRef,
        IReturnOperation => reference.Syntax.Parent is Microsoft.CodeAnalysis.CSharp.Syntax.RefExpressionSyntax,
        IArgumentOperation { Parameter: { RefKind: not RefKind.None, ScopedKind: ScopedKind.None } } argument => IsKeptByCall(argument, types),
        _ => false,
    };

    // A method may return its argument, or store it.
    private static bool IsKeptByCall(IArgumentOperation argument, LifetimeTypes types) =>
        argument.Parameter is not { ScopedKind: ScopedKind.ScopedValue } && argument.Parent is { } call && (IsKept(call, types) || IsGivenBy(call, argument, types));

    private static ImmutableArray<IArgumentOperation> ArgumentsOf(IOperation call) => call switch
    {
        IInvocationOperation invocation => invocation.Arguments,
        IObjectCreationOperation creation => creation.Arguments,
        IPropertyReferenceOperation property => property.Arguments,
        _ => [],
    };

    /// <summary>Determines whether a method returns a view that a pattern declares, or gives it to its caller by a parameter.</summary>
    public static bool ReturnsDeclared(IPatternOperation pattern, LifetimeTypes types)
    {
        var declared = new HashSet<ISymbol>(DeclaredViews(pattern, types), SymbolEqualityComparer.Default);
        if (declared.Count == 0)
        {
            return false;
        }

        return BodyOf(pattern).Descendants().Any(use => use is ILocalReferenceOperation { Local: var local } && declared.Contains(local) && IsReturned(use, types));
    }

    /// <summary>Gets the outermost operation around another one: the body of a method, or an initializer.</summary>
    public static IOperation BodyOf(IOperation operation)
    {
        var body = operation;
        while (body.Parent is not null)
        {
            body = body.Parent;
        }

        return body;
    }

    private static bool IsReturned(IOperation view, LifetimeTypes types) => types.RoleOf(view.Type) == LifetimeRole.View && view.Parent switch
    {
        IReturnOperation => true,
        IConversionOperation { OperatorMethod: null } conversion => IsReturned(conversion, types),
        IPropertyReferenceOperation property when property.Instance == view => !MemberUse.TakesScoped(property.Property) && IsReturned(property, types),
        IFieldReferenceOperation field => IsReturned(field, types),
        IConditionalOperation choice => choice.Condition != view && IsReturned(choice, types),
        ISwitchExpressionArmOperation { Parent: ISwitchExpressionOperation choice } => IsReturned(choice, types),
        ISimpleAssignmentOperation { Target: IParameterReferenceOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } } assignment => assignment.Value == view,
        _ => false,
    };

    private static bool Declares(IPatternOperation pattern, LifetimeTypes types) =>
        DeclaredViews(pattern, types).Any();

    private static IEnumerable<ILocalSymbol> DeclaredViews(IPatternOperation pattern, LifetimeTypes types) =>
        pattern.DescendantsAndSelf().Select(DeclaredBy).OfType<ILocalSymbol>().Where(local => types.RoleOf(local.Type) == LifetimeRole.View);

    /// <summary>Gets the variable that a pattern declares; null for other operations.</summary>
    public static ISymbol? DeclaredBy(IOperation pattern) => pattern switch
    {
        IDeclarationPatternOperation declaration => declaration.DeclaredSymbol,
        IRecursivePatternOperation recursion => recursion.DeclaredSymbol,
        IListPatternOperation list => list.DeclaredSymbol,
        _ => null,
    };
}
