using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>The strings of views in code that a fix changes.</summary>
internal static class ViewText
{
    /// <summary>Determines whether an expression is a view's string.</summary>
    public static bool IsViewText(this SemanticModel model, ExpressionSyntax expression) =>
        model.GetTypeInfo(expression).Type is INamedTypeSymbol type && type.Is("BufferedMessages", "BufferedString");
}
