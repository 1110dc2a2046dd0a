using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Reports what is used behind the commit or dispose of a lease, a claim or an owner: in the statements that follow it in the same block,
/// until the local gets another value. So what is reported is always wrong; what a branch or a loop hides is not seen.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UseAfterCloseAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.UseAfterClose];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationAction(static operation => Analyze(operation), OperationKind.ExpressionStatement);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        if (ClosedBy((IExpressionStatementOperation)context.Operation) is not var (holder, call) || context.Operation.Parent is not IBlockOperation block)
        {
            return;
        }

        var index = block.Operations.IndexOf(context.Operation);
        var views = ViewsOf(holder, block.Operations.Take(index));
        foreach (var reference in block.Operations.Skip(index + 1).SelectMany(static statement => statement.DescendantsAndSelf()).OfType<ILocalReferenceOperation>())
        {
            var isHolder = SymbolEqualityComparer.Default.Equals(reference.Local, holder);
            if (IsWritten(reference) && (isHolder || views.Remove(reference.Local)))
            {
                if (isHolder)
                {
                    return;
                }
            }
            else if (isHolder ? IsRead(reference) : views.Contains(reference.Local))
            {
                var place = isHolder ? reference.Parent!.Syntax : reference.Syntax;
                context.ReportDiagnostic(Diagnostic.Create(Rules.UseAfterClose, place.GetLocation(), place.ToString(), holder.Name, $"'{call}'"));
                return;
            }
        }
    }

    private static (ILocalSymbol Holder, string Call)? ClosedBy(IExpressionStatementOperation statement) =>
        statement.Operation is IInvocationOperation { Instance: ILocalReferenceOperation { Local: var holder }, TargetMethod: var method } && LeaseTypes.IsClosing(method)
            ? (holder, $"{holder.Name}.{method.Name}")
            : null;

    /// <summary>The locals that see the holder's bytes: ref structs and refs that are made of it.</summary>
    private static HashSet<ISymbol> ViewsOf(ILocalSymbol holder, IEnumerable<IOperation> statements)
    {
        var views = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        foreach (var declarator in statements.SelectMany(static statement => statement.DescendantsAndSelf()).OfType<IVariableDeclaratorOperation>())
        {
            if ((declarator.Symbol.Type.IsRefLikeType || declarator.Symbol.IsRef)
                && declarator.GetVariableInitializer() is { } initializer
                && initializer.Descendants().OfType<ILocalReferenceOperation>().Any(reference =>
                    SymbolEqualityComparer.Default.Equals(reference.Local, holder) || views.Contains(reference.Local)))
            {
                views.Add(declarator.Symbol);
            }
        }

        return views;
    }

    // Disposing twice is allowed; another commit, and every member, is not.
    private static bool IsRead(ILocalReferenceOperation reference) =>
        reference.Parent is IPropertyReferenceOperation or IInvocationOperation { TargetMethod.Name: not "Dispose" };

    private static bool IsWritten(ILocalReferenceOperation reference) =>
        reference.Parent is IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref }
        || (reference.Parent is ISimpleAssignmentOperation assignment && assignment.Target == reference);
}
