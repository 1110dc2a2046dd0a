using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Queries on async methods, local functions, lambdas, and the statements of a program without a method.</summary>
internal static class AsyncFunction
{
    /// <summary>Determines whether a function may contain an await.</summary>
    public static bool IsAsync(SyntaxNode function) => function switch
    {
        MethodDeclarationSyntax method => method.Modifiers.Any(SyntaxKind.AsyncKeyword),
        LocalFunctionStatementSyntax local => local.Modifiers.Any(SyntaxKind.AsyncKeyword),
        AnonymousFunctionExpressionSyntax lambda => lambda.AsyncKeyword.IsKind(SyntaxKind.AsyncKeyword),
        CompilationUnitSyntax file => file.Members.Any(static member => member is GlobalStatementSyntax),
        _ => false,
    };

    /// <summary>Gets the parameters of a local function or a lambda.</summary>
    public static IEnumerable<ParameterSyntax> ParametersOf(SyntaxNode function) => function switch
    {
        LocalFunctionStatementSyntax local => local.ParameterList.Parameters,
        SimpleLambdaExpressionSyntax simple => [simple.Parameter],
        ParenthesizedLambdaExpressionSyntax lambda => lambda.ParameterList.Parameters,
        AnonymousMethodExpressionSyntax { ParameterList: { } list } => list.Parameters,
        _ => [],
    };

    /// <summary>Determines whether a function waits, apart from the functions in it.</summary>
    public static bool HasAwait(SyntaxNode function) =>
        function
            .DescendantNodes(node => node == function || node is not (LocalFunctionStatementSyntax or AnonymousFunctionExpressionSyntax or BaseTypeDeclarationSyntax or BaseNamespaceDeclarationSyntax))
            .Any(static node => node switch
            {
                AwaitExpressionSyntax => true,
                CommonForEachStatementSyntax loop => loop.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
                UsingStatementSyntax statement => statement.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
                LocalDeclarationStatementSyntax declaration => declaration.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
                _ => false,
            });

    /// <summary>Gets the control flow of a function; null if it has no body.</summary>
    public static ControlFlowGraph? GraphOf(SyntaxNode function, SemanticModel model, CancellationToken cancellation)
    {
        var root = model.GetOperation(function, cancellation);
        while (root?.Parent is { } around)
        {
            root = around;
        }

        return root is null || ControlFlowGraph.Create(root.Syntax, model, cancellation) is not { } graph ? null
            : root.Syntax == function ? graph
            : Inner(graph, function, cancellation);
    }

    private static ControlFlowGraph? Inner(ControlFlowGraph graph, SyntaxNode function, CancellationToken cancellation)
    {
        foreach (var local in graph.LocalFunctions)
        {
            if (local.DeclaringSyntaxReferences[0].Span.Contains(function.Span))
            {
                return Matching(graph.GetLocalFunctionControlFlowGraph(local, cancellation));
            }
        }

        foreach (var lambda in LifetimeFlow.LambdasIn(graph))
        {
            if (lambda.Syntax.Span.Contains(function.Span))
            {
                return Matching(graph.GetAnonymousFunctionControlFlowGraph(lambda, cancellation));
            }
        }

        return null;

        ControlFlowGraph? Matching(ControlFlowGraph inner) => inner.OriginalOperation.Syntax == function ? inner : Inner(inner, function, cancellation);
    }
}
