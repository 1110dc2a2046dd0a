using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The rule for uses after the end of a lifetime: of a view, a span or a string after the holder of its bytes was committed or disposed, or after an array
/// was returned to its pool; of a member of a delivery, a claim or an owner after it was closed. It follows every path through a method.
/// </summary>
internal static class UseAfterCloseRule
{
    /// <summary>Finds the late uses in a body.</summary>
    public static void Analyze(OperationBlockAnalysisContext context, LifetimeTypes types, IOperation body, LifetimeFindings findings)
    {
        try
        {
            LifetimeFlow.Analyze(context.GetControlFlowGraph(body), context.OwningSymbol, types, WrittenInside(body, context.OwningSymbol), AssignedIn(body), findings);
        }
        catch (InsufficientExecutionStackException)
        {
            // An expression of thousands of parts, near the compiler's own limit, is not analyzed.
        }
    }

    /// <summary>Gets the captured variables that a lambda or a local function writes to, and the variables that have an alias, with the alias.</summary>
    private static HashSet<ISymbol> WrittenInside(IOperation body, ISymbol owner)
    {
        var written = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        foreach (var operation in body.Descendants())
        {
            var variable = VariableOf(operation);
            if (variable is not null && IsWritten(operation) && !SymbolEqualityComparer.Default.Equals(variable.ContainingSymbol, FunctionAround(operation) ?? owner))
            {
                written.Add(variable);
            }

            if ((variable ?? (operation as IFieldReferenceOperation)?.Field) is { } named && AliasIn(operation) is { } alias)
            {
                written.Add(named);
                written.Add(alias);
            }
        }

        return written;
    }

    /// <summary>Gets the locals and parameters that are written to after their declaration.</summary>
    private static HashSet<ISymbol> AssignedIn(IOperation body) =>
        new(body.Descendants().Where(IsWritten).Select(VariableOf).OfType<ISymbol>(), SymbolEqualityComparer.Default);

    private static ISymbol? VariableOf(IOperation reference) => reference switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };

    private static ISymbol? FunctionAround(IOperation operation)
    {
        for (var around = operation.Parent; around is not null; around = around.Parent)
        {
            switch (around)
            {
                case IAnonymousFunctionOperation lambda:
                    return lambda.Symbol;
                case ILocalFunctionOperation function:
                    return function.Symbol;
            }
        }

        return null;
    }

    /// <summary>Gets the ref local that an operation makes an alias of a variable; null if it makes none.</summary>
    private static ILocalSymbol? AliasIn(IOperation reference) => reference.Parent switch
    {
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol: { IsRef: true } local } } => local,
        ISimpleAssignmentOperation { IsRef: true, Target: ILocalReferenceOperation { Local: var local } } assignment when assignment.Value == reference => local,
        _ => null,
    };

    private static bool IsWritten(IOperation reference) => reference.Parent switch
    {
        IArgumentOperation argument => argument.Parameter?.RefKind is RefKind.Out or RefKind.Ref,
        IAssignmentOperation assignment => assignment.Target == reference,
        IIncrementOrDecrementOperation or IAddressOfOperation => true,
        IDeclarationExpressionOperation or ITupleOperation => true,
        IMemberReferenceOperation part => part.Instance == reference && reference.Type is { IsValueType: true } && IsWritten(part),
        _ => false,
    };
}
