using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// An analyzer that reports views that async code keeps over an await: parameters of async local functions and lambdas, and locals that are used after an await.
/// The compiler rejects both, but does not say what to write instead. The generator reports the parameters of methods: <see cref="AsyncView"/>.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AwaitAnalyzer() : ProductAnalyzer(Rules.ViewOverAwait)
{
    private const string ReadFirst = "read what you need before it";

    private protected override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(static start =>
        {
            if (LifetimeTypes.Of(start.Compilation) is { } types)
            {
                start.RegisterSyntaxNodeAction(
                    node => Analyze(node, types),
                    SyntaxKind.MethodDeclaration,
                    SyntaxKind.LocalFunctionStatement,
                    SyntaxKind.ParenthesizedLambdaExpression,
                    SyntaxKind.SimpleLambdaExpression,
                    SyntaxKind.AnonymousMethodExpression,
                    SyntaxKind.CompilationUnit);
            }
        });
    }

    // The modifier decides for most functions, so the meaning of a body is looked at only if it has an await. A lambda in an attribute never compiles, and the
    // compiler may fail where it is asked for its meaning.
    private static void Analyze(SyntaxNodeAnalysisContext context, LifetimeTypes types)
    {
        if (!AsyncFunction.IsAsync(context.Node) || context.Node.FirstAncestorOrSelf<AttributeSyntax>() is not null)
        {
            return;
        }

        ReportParameters(context, types);
        if (AsyncFunction.HasAwait(context.Node) && AsyncFunction.GraphOf(context.Node, context.SemanticModel, context.CancellationToken) is { } graph)
        {
            foreach (var late in AwaitFlow.Analyze(graph, types))
            {
                ReportUse(context, late, types);
            }
        }
    }

    private static void ReportParameters(SyntaxNodeAnalysisContext context, LifetimeTypes types)
    {
        foreach (var parameter in AsyncFunction.ParametersOf(context.Node))
        {
            if (context.SemanticModel.GetDeclaredSymbol(parameter, context.CancellationToken) is { } symbol && types.IsMessage(symbol.Type))
            {
                context.ReportDiagnostic(AsyncView.ProblemAt(parameter.Identifier.GetLocation(), parameter.Identifier.ValueText));
            }
        }
    }

    private static void ReportUse(SyntaxNodeAnalysisContext context, UseAfterAwait late, LifetimeTypes types)
    {
        var remedy = late.Local is null ? "copy what the loop needs before it"
            : ViewOfDelivery.Of(late.Local, context.SemanticModel, types, context.CancellationToken) is { } source ? $"read it again from '{source}' after the await, or {ReadFirst}"
            : ReadFirst;
        context.ReportDiagnostic(Diagnostic.Create(
            Rules.ViewOverAwait,
            late.Uses[0].GetLocation(),
            late.Uses.Skip(1).Select(static use => use.GetLocation()),
            LifetimeFindings.TextOf(late.Uses[0]),
            late.Local is null ? "a view that a loop reads before and after an await" : "a view that is used after an await",
            remedy));
    }
}
