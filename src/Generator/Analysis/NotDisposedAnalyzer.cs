using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Reports claims that nothing disposes, and deliveries that nothing disposes or commits. A claim that an exception leaves open holds up
/// all producers, so its commit alone is not enough.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotDisposedAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.NotDisposed];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationBlockAction(static block =>
        {
            var operations = block.OperationBlocks.SelectMany(static operation => operation.DescendantsAndSelf()).ToList();
            foreach (var call in operations.OfType<IInvocationOperation>().Where(Opens))
            {
                Analyze(block, call, operations);
            }
        });
    }

    private static bool Opens(IInvocationOperation call) =>
        DeliveryTypes.IsClaim(call.Type) || call.Arguments.Any(static argument => argument.Parameter?.RefKind == RefKind.Out && IsClaimOrDelivery(argument.Value.Type));

    private static bool IsClaimOrDelivery(ITypeSymbol? type) => DeliveryTypes.IsClaim(type) || DeliveryTypes.IsDelivery(type);

    private static void Analyze(OperationBlockAnalysisContext context, IInvocationOperation call, List<IOperation> operations)
    {
        var (holder, place) = HolderOf(call);
        if (place is null || (holder is not null && IsClosed(holder, operations)))
        {
            return;
        }

        var isClaim = DeliveryTypes.IsClaim(call.Type) || call.Arguments.Any(static argument => DeliveryTypes.IsClaim(argument.Value.Type));
        context.ReportDiagnostic(Diagnostic.Create(
            Rules.NotDisposed,
            place.GetLocation(),
            holder is null ? "What this call gives" : $"'{holder.Name}'",
            isClaim ? "it holds up what others publish when an exception is thrown" : "its message is neither handled nor given back",
            isClaim ? "declare it with using" : "commit it, or put it into a using statement"));
    }

    /// <summary>The local that gets the claim or delivery, and where to report it; no place if something else gets it.</summary>
    private static (ILocalSymbol? Holder, SyntaxNode? Place) HolderOf(IInvocationOperation call)
    {
        if (call.Arguments.FirstOrDefault(static argument => argument.Parameter?.RefKind == RefKind.Out && IsClaimOrDelivery(argument.Value.Type)) is { } argument)
        {
            return argument.Value switch
            {
                IDeclarationExpressionOperation { Expression: ILocalReferenceOperation declared } => (declared.Local, declared.Syntax),
                ILocalReferenceOperation local => (local.Local, local.Syntax),
                IDiscardOperation => (null, argument.Syntax),
                _ => (null, null),
            };
        }

        return call.Parent switch
        {
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } => (declarator.Symbol, declarator.Syntax),
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation assigned } => (assigned.Local, assigned.Syntax),
            IExpressionStatementOperation or ISimpleAssignmentOperation { Target: IDiscardOperation } => (null, call.Syntax),
            _ => (null, null),
        };
    }

    private static bool IsClosed(ILocalSymbol holder, List<IOperation> operations) =>
        holder.IsUsing
        || operations.OfType<ILocalReferenceOperation>().Any(reference =>
            SymbolEqualityComparer.Default.Equals(reference.Local, holder)
            && (IsHandedOn(reference) || reference.Parent is IUsingOperation || Closes(reference.Parent, DeliveryTypes.IsClaim(holder.Type))));

    private static bool Closes(IOperation? use, bool isClaim) =>
        use is IInvocationOperation { TargetMethod: var method } && DeliveryTypes.IsClosing(method) && !(isClaim && method.Name == "Commit");

    // Who gets it sees to it.
    private static bool IsHandedOn(ILocalReferenceOperation reference) =>
        reference.Parent is IReturnOperation or IVariableInitializerOperation
        || reference.Parent is IArgumentOperation { Parameter.RefKind: not RefKind.Out }
        || (reference.Parent is ISimpleAssignmentOperation assignment && assignment.Value == reference);
}
