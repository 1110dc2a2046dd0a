using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>An analyzer that reports the rules for lifetimes: for objects that are never closed, for uses after the close, and for views of stored objects. One walk over a body serves them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LifetimeAnalyzer() : ProductAnalyzer(Rules.NotDisposed, Rules.UseAfterClose, Rules.UseAfterGivenBack, Rules.ViewOfStored)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(static start =>
        {
            if (LifetimeTypes.Of(start.Compilation) is { } types)
            {
                start.RegisterOperationAction(operation => ViewOfStoredRule.Analyze(operation, types), OperationKind.PropertyReference, OperationKind.Invocation, OperationKind.ObjectCreation);
                start.RegisterOperationBlockAction(block => Analyze(block, types));
            }
        });
    }

    private static void Analyze(OperationBlockAnalysisContext context, LifetimeTypes types)
    {
        var findings = new LifetimeFindings();
        foreach (var body in context.OperationBlocks)
        {
            var mayEnd = false;
            foreach (var operation in body.DescendantsAndSelf())
            {
                NotDisposedRule.Analyze(context, types, operation, body);
                mayEnd = mayEnd || types.MayEnd(operation);
            }

            if (mayEnd)
            {
                UseAfterCloseRule.Analyze(context, types, body, findings);
            }
        }

        foreach (var problem in findings.Diagnostics())
        {
            context.ReportDiagnostic(problem);
        }
    }
}
