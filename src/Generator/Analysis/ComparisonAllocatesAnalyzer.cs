using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports strings that are created from a view's string only for a comparison.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ComparisonAllocatesAnalyzer() : ProductAnalyzer(Rules.ComparisonAllocates)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("BufferedMessages.BufferedString") is { } viewString)
            {
                start.RegisterOperationAction(operation => AnalyzeOperator(operation, viewString), OperationKind.Binary);
                start.RegisterOperationAction(operation => AnalyzeCall(operation, viewString), OperationKind.Invocation);
            }
        });
    }

    private static void AnalyzeOperator(OperationAnalysisContext context, INamedTypeSymbol viewString)
    {
        // Operands that are converted to objects are compared by reference.
        var comparison = (IBinaryOperation)context.Operation;
        if (comparison.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals && IsString(comparison.LeftOperand.Type))
        {
            Report(context, viewString, comparison.LeftOperand, comparison.RightOperand);
        }
    }

    private static void AnalyzeCall(OperationAnalysisContext context, INamedTypeSymbol viewString)
    {
        // string.Equals(a, b) and a.Equals(b). The view's string takes no StringComparison.
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod is not { Name: nameof(string.Equals), ContainingType.SpecialType: SpecialType.System_String })
        {
            return;
        }

        var operands = call.Arguments.Select(static argument => argument.Value).ToList();
        if (call.Instance is not null)
        {
            operands.Add(call.Instance);
        }

        if (operands.TrueForAll(static operand => IsString(operand.Type)))
        {
            Report(context, viewString, [.. operands]);
        }
    }

    private static bool IsString(ITypeSymbol? type) => type?.SpecialType == SpecialType.System_String;

    private static void Report(OperationAnalysisContext context, INamedTypeSymbol viewString, params IOperation[] operands)
    {
        foreach (var made in operands.Select(operand => MadeOf(operand, viewString)).OfType<IOperation>())
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.ComparisonAllocates, context.Operation.Syntax.GetLocation(), LifetimeFindings.TextOf(made.Syntax)));
            return;
        }
    }

    /// <summary>Gets the view's string that a string is created from, by a call or a conversion; null for other strings.</summary>
    private static IOperation? MadeOf(IOperation text, INamedTypeSymbol viewString)
    {
        var source = text switch
        {
            IInvocationOperation { TargetMethod: { Name: nameof(ToString), Parameters.Length: 0 }, Instance: { } instance } => instance,
            IConversionOperation { OperatorMethod: not null, Operand: var operand } => operand,
            _ => null,
        };
        return SymbolEqualityComparer.Default.Equals(source?.Type, viewString) ? source : null;
    }
}
