using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// An analyzer that reports views that async code keeps over an await: parameters of async local functions and lambdas, locals that are used after an await,
/// and loops that contain one. The compiler rejects them, but does not say what to write instead. The generator reports the parameters of methods: <see cref="AsyncView"/>.
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
        var (kind, mistake, remedy) = late.Local is not null ? ("view", "a view that is used after an await", RemedyFor(late.Local))
            : types.IsDeliveryLoop(context.SemanticModel.GetTypeInfo(late.Uses[0], context.CancellationToken).Type) ? ("loop over ReadAll", "a loop with an await in it", "write 'await foreach' over ReadAllAsync")
            : ("view", "a view that a loop reads before and after an await", "copy what the loop needs before it");
        context.ReportDiagnostic(Diagnostic.Create(
            Rules.ViewOverAwait,
            late.Uses[0].GetLocation(),
            late.Uses.Skip(1).Select(static use => use.GetLocation()),
            LifetimeFindings.TextOf(late.Uses[0]),
            mistake,
            kind,
            remedy));

        string RemedyFor(ILocalSymbol view) =>
            ViewOfDelivery.Of(view, context.SemanticModel, types, context.CancellationToken) is { } source ? $"read it again from '{source}' after the await, or {ReadFirst}" : ReadFirst;
    }
}
