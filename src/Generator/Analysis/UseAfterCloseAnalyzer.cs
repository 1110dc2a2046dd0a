using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// Reports what is used after the commit or dispose of a delivery, a claim or an owner: in the statements that follow it in the same block,
/// until the variable gets another value. So what is reported is always wrong; what a branch or a loop hides is not seen.
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
        foreach (var reference in block.Operations.Skip(index + 1).SelectMany(static statement => statement.DescendantsAndSelf()))
        {
            var symbol = VariableOf(reference);
            var isHolder = SymbolEqualityComparer.Default.Equals(symbol, holder);
            if (symbol is null || !(isHolder || views.Contains(symbol)))
            {
                continue;
            }

            if (IsWritten(reference))
            {
                // A new value: of the holder all that follows is another story, of a view what follows with its name.
                if (isHolder)
                {
                    return;
                }

                views.Remove(symbol);
            }
            else if (!isHolder || IsRead(reference))
            {
                var place = isHolder ? reference.Parent!.Syntax : reference.Syntax;
                context.ReportDiagnostic(Diagnostic.Create(Rules.UseAfterClose, place.GetLocation(), place.ToString(), holder.Name, $"'{call}'"));
                return;
            }
        }
    }

    private static (ISymbol Holder, string Call)? ClosedBy(IExpressionStatementOperation statement) =>
        statement.Operation is IInvocationOperation { Instance: { } instance, TargetMethod: var method } && DeliveryTypes.IsClosing(method) && VariableOf(instance) is { } holder
            ? (holder, $"{holder.Name}.{method.Name}")
            : null;

    private static ISymbol? VariableOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };

    /// <summary>The locals that see the holder's bytes: ref structs and refs that are made of it.</summary>
    private static HashSet<ISymbol> ViewsOf(ISymbol holder, IEnumerable<IOperation> statements)
    {
        var views = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        foreach (var declarator in statements.SelectMany(static statement => statement.DescendantsAndSelf()).OfType<IVariableDeclaratorOperation>())
        {
            if ((declarator.Symbol.Type.IsRefLikeType || declarator.Symbol.IsRef)
                && declarator.GetVariableInitializer() is { } initializer
                && initializer.Descendants().Select(VariableOf).Any(symbol => symbol is not null && (SymbolEqualityComparer.Default.Equals(symbol, holder) || views.Contains(symbol))))
            {
                views.Add(declarator.Symbol);
            }
        }

        return views;
    }

    // Disposing twice is allowed; another commit, and every member, is not.
    private static bool IsRead(IOperation reference) =>
        reference.Parent is IPropertyReferenceOperation or IInvocationOperation { TargetMethod.Name: not "Dispose" };

    private static bool IsWritten(IOperation reference) =>
        reference.Parent is IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref }
        || (reference.Parent is ISimpleAssignmentOperation assignment && assignment.Target == reference);
}
