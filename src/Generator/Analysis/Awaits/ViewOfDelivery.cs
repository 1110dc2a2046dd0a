using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Views that can be read again, because a local still has their delivery: <c>var order = delivery.Message;</c>.</summary>
internal static class ViewOfDelivery
{
    /// <summary>Gets the expression that reads the view of a local again; null if another value may be in the local, or in that of the delivery.</summary>
    public static MemberAccessExpressionSyntax? Of(ILocalSymbol view, SemanticModel model, LifetimeTypes types, CancellationToken cancellation) =>
        view.DeclaringSyntaxReferences is [var reference]
        && reference.GetSyntax(cancellation) is VariableDeclaratorSyntax
        {
            Initializer.Value: MemberAccessExpressionSyntax { RawKind: (int)SyntaxKind.SimpleMemberAccessExpression, Name.Identifier.ValueText: "Message", Expression: IdentifierNameSyntax delivery } source,
        } declarator
        && model.GetSymbolInfo(delivery, cancellation).Symbol is ILocalSymbol or IParameterSymbol { RefKind: RefKind.None }
        && types.IsDelivery(model.GetTypeInfo(delivery, cancellation).Type)
        && FunctionAround(declarator) is { } function
        && !function.WritesTo(declarator.Identifier.ValueText)
        && !function.WritesTo(delivery.Identifier.ValueText)
            ? source
            : null;

    private static SyntaxNode? FunctionAround(SyntaxNode node) => node.Ancestors().FirstOrDefault(AsyncFunction.IsAsync);
}
