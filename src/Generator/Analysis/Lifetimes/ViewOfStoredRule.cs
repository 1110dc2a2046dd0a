using System.Collections.Immutable;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The rule for views of a delivery, an owner or the like that are taken from a field, an array or a reference and kept. The compiler limits a view to the
/// scope of the variable that it is taken from, and assumes that such variables live forever.
/// A view that is used only within its expression, as in <c>_owner.Message.Id</c>, is accepted.
/// </summary>
internal static class ViewOfStoredRule
{
    /// <summary>Analyzes the use of a property, or the call of a method or a constructor.</summary>
    public static void Analyze(OperationAnalysisContext context, LifetimeTypes types)
    {
        switch (context.Operation)
        {
            case IPropertyReferenceOperation { Instance: IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.PatternInput } } property:
                AnalyzePattern(context, types, property);
                break;
            case IPropertyReferenceOperation property:
                AnalyzeMember(context, types, property.Property, property.Instance);
                break;
            case IInvocationOperation call:
                AnalyzeMember(context, types, call.TargetMethod, call.Instance);
                AnalyzeArguments(context, types, call.Arguments);
                break;
            case IObjectCreationOperation creation:
                AnalyzeArguments(context, types, creation.Arguments);
                break;
        }
    }

    private static void AnalyzeMember(OperationAnalysisContext context, LifetimeTypes types, ISymbol member, IOperation? instance)
    {
        if (instance is { Type.IsValueType: true } && (types.IsScoped(member) || (IsHolder(instance, types) && MemberUse.TakesReference(member))) && !IsRooted(instance) && GivesKept(context.Operation, source: null, types))
        {
            Report(context, instance);
        }
    }

    // The compiler does not limit a view that a pattern takes from a variable, not even from one whose scope it knows.
    private static void AnalyzePattern(OperationAnalysisContext context, LifetimeTypes types, IPropertyReferenceOperation property)
    {
        if (Unpacked(KeptViews.OwnerOf(property)) is { } matched)
        {
            AnalyzeMember(context, types, property.Property, matched);
            if (types.IsScoped(property.Property) && HasOwnScope(matched) && property.Parent is IPropertySubpatternOperation part && KeptViews.ReturnsDeclared(part.Pattern, types))
            {
                Report(context, $"a pattern takes it from '{LifetimeFindings.TextOf(matched.Syntax)}'", "copy what you need");
            }
        }
    }

    // A method or a constructor that takes a delivery by reference may return its view.
    private static void AnalyzeArguments(OperationAnalysisContext context, LifetimeTypes types, ImmutableArray<IArgumentOperation> arguments)
    {
        foreach (var argument in arguments)
        {
            if (argument.Parameter is { RefKind: RefKind.In or RefKind.Ref or RefKind.RefReadOnlyParameter, ScopedKind: ScopedKind.None }
                && IsHolder(argument.Value, types)
                && argument.Value.Type is { IsValueType: true }
                && !IsRooted(argument.Value)
                && GivesKept(context.Operation, argument, types))
            {
                Report(context, argument.Value);
                return;
            }
        }
    }

    private static bool IsHolder(IOperation value, LifetimeTypes types) => types.RoleOf(value.Type) is LifetimeRole.Delivery or LifetimeRole.Holder or LifetimeRole.Part;

    private static bool GivesKept(IOperation use, IArgumentOperation? source, LifetimeTypes types) => KeptViews.IsKept(use, types) || KeptViews.IsGivenBy(use, source, types);

    private static void Report(OperationAnalysisContext context, IOperation holder)
    {
        var name = $"'{LifetimeFindings.TextOf(holder.Syntax)}'";
        Report(context, $"{name} is in a field, in an array or behind a reference", $"copy {name} to a local, and take the view from it");
    }

    private static void Report(OperationAnalysisContext context, string reason, string remedy)
    {
        var syntax = context.Operation.Syntax;
        context.ReportDiagnostic(Diagnostic.Create(Rules.ViewOfStored, syntax.GetLocation(), LifetimeFindings.TextOf(syntax), reason, remedy));
    }

    // The elements of a tuple are parts of its variable.
    private static IOperation? Unpacked(IOperation? value) => value is IRecursivePatternOperation { DeconstructSymbol: null } tuple ? Unpacked(KeptViews.ValueOf(tuple)) : value;

    /// <summary>Determines whether a variable or an unnamed value ends with the method or before it, so that the compiler rejects the return of a view that is taken from it without a pattern.</summary>
    private static bool HasOwnScope(IOperation variable) => variable switch
    {
        ILocalReferenceOperation { Local: var local } => !local.IsRef,
        IParameterReferenceOperation { Parameter: var parameter } => parameter.RefKind == RefKind.None,
        IFieldReferenceOperation { Field.RefKind: RefKind.None, Instance: { Type.IsValueType: true } } field => Unpacked(KeptViews.OwnerOf(field)) is { } owner && HasOwnScope(owner),
        IPropertyReferenceOperation { Property: { ReturnsByRef: false, ReturnsByRefReadonly: false } } => true,
        ITupleOperation or IRecursivePatternOperation => true,
        _ => false,
    };

    /// <summary>Determines whether the compiler knows the lifetime of a variable: a local, a parameter, a part of one, or an unnamed value.</summary>
    private static bool IsRooted(IOperation variable) => IsRooted(variable, new HashSet<ISymbol>(SymbolEqualityComparer.Default));

    private static bool IsRooted(IOperation variable, HashSet<ISymbol> followed)
    {
        switch (variable)
        {
            case ILocalReferenceOperation { Local: { IsRef: true } local }:
                return !followed.Add(local) || IsRooted(local, variable, followed);
            case IFieldReferenceOperation { Field.RefKind: RefKind.None } field:
                return Unpacked(KeptViews.OwnerOf(field)) switch
                {
                    null => false,
                    IInstanceReferenceOperation self => self.Type is { IsValueType: true },
                    var owner => owner.Type is { IsValueType: true } && IsRooted(owner, followed),
                };
            case IArrayElementReferenceOperation:
                return false;
            case IInlineArrayAccessOperation element:
                return IsRooted(element.Instance, followed);
            case IPropertyReferenceOperation or IInvocationOperation:
                return !KeptViews.IsReference(variable);
            case IConditionalOperation { IsRef: true } choice:
                return IsRooted(choice.WhenTrue, followed) && choice.WhenFalse is { } other && IsRooted(other, followed);
            default:
                // The compiler has no operation kind for access through a pointer.
                return variable.Kind != OperationKind.None;
        }
    }

    // A ref local has the lifetime of its referents. These may be ref locals that are assigned to each other.
    private static bool IsRooted(ILocalSymbol reference, IOperation use, HashSet<ISymbol> followed)
    {
        foreach (var operation in KeptViews.BodyOf(use).Descendants())
        {
            var source = operation switch
            {
                IVariableDeclaratorOperation declarator when Is(declarator.Symbol) => declarator.GetVariableInitializer()?.Value,
                ISimpleAssignmentOperation { IsRef: true, Target: ILocalReferenceOperation target } assignment when Is(target.Local) => assignment.Value,
                IForEachLoopOperation loop when loop.Locals.Any(Is) => loop.Collection,
                _ => null,
            };
            if (source is not null && (operation is IForEachLoopOperation || !IsRooted(source, followed)))
            {
                return false;
            }
        }

        return true;

        bool Is(ILocalSymbol local) => SymbolEqualityComparer.Default.Equals(local, reference);
    }
}
