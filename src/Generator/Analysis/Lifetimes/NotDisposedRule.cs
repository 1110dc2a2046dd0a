using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The rule for claims that are never disposed, and deliveries that are never committed, abandoned or disposed. A claim that an exception leaves open
/// holds up the messages of all producers, so a commit alone is not enough. The deliveries of a loop or a reader need neither.
/// </summary>
internal static class NotDisposedRule
{
    private const string CommitThrough = nameof(CommitThrough);

    /// <summary>Reports an operation of a body if it opens something that is not closed.</summary>
    public static void Analyze(OperationBlockAnalysisContext context, LifetimeTypes types, IOperation operation, IOperation body)
    {
        if (Opens(operation, types))
        {
            AnalyzeOpening(context, types, operation, body);
        }
    }

    private static bool Opens(IOperation operation, LifetimeTypes types) => operation switch
    {
        IInvocationOperation call => LifetimeTypes.IsClaim(call.Type) || Opened(call, types) is not null,
        IAwaitOperation wait => types.IsDelivery(wait.Type) && wait.Descendants().Any(static part => part is IInvocationOperation call && LifetimeTypes.IsProduct(call.TargetMethod)),
        _ => false,
    };

    /// <summary>
    /// Gets the argument that receives a claim or a delivery which must be closed. A reader's deliveries need no commit, and its next read closes them.
    /// Results of user methods or collections may be closed elsewhere.
    /// </summary>
    private static IArgumentOperation? Opened(IInvocationOperation call, LifetimeTypes types) =>
        LifetimeTypes.IsProduct(call.TargetMethod) && call.TargetMethod.ContainingType.Name != "MessageReader"
            ? call.Arguments.FirstOrDefault(argument =>
                argument.Parameter?.RefKind == RefKind.Out && (LifetimeTypes.IsClaim(argument.Value.Type) || types.IsDelivery(argument.Value.Type)))
            : null;

    private static void AnalyzeOpening(OperationBlockAnalysisContext context, LifetimeTypes types, IOperation opening, IOperation body)
    {
        var (holder, place) = HolderOf(opening, types);
        var isClaim = LifetimeTypes.IsClaim(opening.Type) || (opening is IInvocationOperation call && LifetimeTypes.IsClaim(Opened(call, types)?.Value.Type));
        if (place is null || (holder is not null && IsClosed(holder, isClaim, body)) || (!isClaim && CommitsThrough(context.OwningSymbol, context.CancellationToken)))
        {
            return;
        }

        context.ReportDiagnostic(Diagnostic.Create(
            Rules.NotDisposed,
            place.GetLocation(),
            holder is null ? "The result of this call" : $"'{holder.Name}'",
            isClaim ? "an exception would leave it open and hold up the messages of all producers" : "its message is neither committed nor abandoned",
            isClaim ? "declare it with using" : "commit it, or put it into a using statement"));
    }

    /// <summary>Gets the local that receives the claim or delivery, and the location to report; no location if it is not a local.</summary>
    private static (ILocalSymbol? Holder, SyntaxNode? Place) HolderOf(IOperation opening, LifetimeTypes types)
    {
        if (opening is IInvocationOperation call && Opened(call, types) is { } argument)
        {
            return argument.Value switch
            {
                IDeclarationExpressionOperation { Expression: ILocalReferenceOperation declared } => (declared.Local, declared.Syntax),
                ILocalReferenceOperation local => (local.Local, local.Syntax),
                IDiscardOperation => (null, argument.Syntax),
                _ => (null, null),
            };
        }

        return opening.Parent switch
        {
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } => (declarator.Symbol, declarator.Syntax),
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation assigned } => (assigned.Local, assigned.Syntax),
            IExpressionStatementOperation or ISimpleAssignmentOperation { Target: IDiscardOperation } => (null, opening.Syntax),
            ITupleOperation values => ElementOf(TargetOf(values), values.Elements.IndexOf(opening)),
            IConversionOperation { OperatorMethod: null } conversion when types.RoleOf(conversion.Type) == types.RoleOf(opening.Type) => HolderOf(conversion, types),
            IConditionalOperation choice when choice.Type is not null => HolderOf(choice, types),
            _ => (null, null),
        };
    }

    /// <summary>Gets the tuple of variables that a tuple of values is assigned to element by element; null for others.</summary>
    private static ITupleOperation? TargetOf(IOperation values) => values.Parent switch
    {
        IConversionOperation { OperatorMethod: null } conversion => TargetOf(conversion),
        IDeconstructionAssignmentOperation { Target: ITupleOperation targets } => targets,
        IDeconstructionAssignmentOperation { Target: IDeclarationExpressionOperation { Expression: ITupleOperation targets } } => targets,
        _ => null,
    };

    // While code is typed, there may be fewer variables than values.
    private static (ILocalSymbol? Holder, SyntaxNode? Place) ElementOf(ITupleOperation? targets, int index) => targets?.Elements.ElementAtOrDefault(index) switch
    {
        IDeclarationExpressionOperation { Expression: ILocalReferenceOperation declared } => (declared.Local, declared.Syntax),
        ILocalReferenceOperation local => (local.Local, local.Syntax),
        IDiscardOperation discard => (null, discard.Syntax),
        _ => (null, null),
    };

    private static bool IsClosed(ILocalSymbol holder, bool isClaim, IOperation body) =>
        holder.IsUsing
        || body.Descendants().OfType<ILocalReferenceOperation>().Any(reference =>
            SymbolEqualityComparer.Default.Equals(reference.Local, holder) && ValueOf(reference) is var value && (Closes(value, isClaim) || IsHandedOn(value)));

    // The value of a nullable delivery is the delivery.
    private static IOperation ValueOf(IOperation reference) => reference.Parent switch
    {
        IPropertyReferenceOperation { Property: { Name: nameof(Nullable<int>.Value), ContainingType.OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } } value => value,
        IInvocationOperation { TargetMethod: { Name: nameof(Nullable<int>.GetValueOrDefault), ContainingType.OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } } value => value,
        _ => reference,
    };

    private static bool Closes(IOperation reference, bool isClaim) =>
        reference.Parent is IInvocationOperation call
        && call.Instance == reference
        && LifetimeTypes.EffectOf(isClaim ? LifetimeRole.Holder : LifetimeRole.Delivery, call.TargetMethod.Name) == LifetimeEffect.Close
        && !(isClaim && call.TargetMethod.Name is ("Commit" or "Publish"));

    // Code that receives it becomes responsible for it. Using its members, even in a pattern, or assigning the local does not pass it on.
    private static bool IsHandedOn(IOperation reference) => reference.Parent switch
    {
        IInvocationOperation call => call.Instance != reference || IsExtension(call.TargetMethod),
        IPropertyReferenceOperation or IDeclarationExpressionOperation or IBinaryOperation or IExpressionStatementOperation => false,
        ITupleOperation { Parent: IDeclarationExpressionOperation } => false,
        ITupleOperation { Parent: IDeconstructionAssignmentOperation assignment } targets => assignment.Target != targets,
        IIsPatternOperation { Pattern: IRecursivePatternOperation { DeclaredSymbol: null } or IConstantPatternOperation or INegatedPatternOperation { Pattern: IConstantPatternOperation } } => false,
        IArgumentOperation argument => argument.Parameter?.RefKind != RefKind.Out,
        ISimpleAssignmentOperation assignment => assignment.Value == reference,
        _ => true,
    };

    // The members of an extension block are those of a type within a static class.
    private static bool IsExtension(IMethodSymbol method) => method.ContainingType.ContainingType is { IsStatic: true };

    // An exclusive consumer may commit many messages at once. Such a class often reads in one method and commits in another.
    private static bool CommitsThrough(ISymbol member, CancellationToken cancellation)
    {
        var type = member as INamedTypeSymbol ?? member.ContainingType;
        return type.DeclaringSyntaxReferences.Any(declaration => declaration.GetSyntax(cancellation).DescendantTokens()
            .Any(static token => token.IsKind(SyntaxKind.IdentifierToken) && token.ValueText == CommitThrough));
    }
}
