using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>Null tests that the compiler rejects for a view, since a view is a struct. The view's <c>IsNull</c> replaces them.</summary>
internal static class NullTest
{
    /// <summary>The compiler's error for null in place of a struct, for example <c>view.Note is null</c>.</summary>
    public const string NullOfStruct = "CS0037";

    /// <summary>The compiler's error for an operator that the operands do not have, for example <c>view.Note ?? ""</c>.</summary>
    public const string NoSuchOperator = "CS0019";

    /// <summary>The compiler's error for <c>?.</c> on a struct.</summary>
    public const string ConditionalAccess = "CS0023";

    private const string IsNull = "IsNull";

    /// <summary>Determines whether an expression is a view with <c>IsNull</c>.</summary>
    public static bool IsView(this SemanticModel model, ExpressionSyntax expression) =>
        model.GetTypeInfo(expression).Type is { IsRefLikeType: true } type && type.GetMembers(IsNull).OfType<IPropertySymbol>().Any(static property => !property.IsStatic);

    /// <summary>Creates the expression <c>view.IsNull</c>.</summary>
    public static ExpressionSyntax Ask(ExpressionSyntax view, bool isNegated = false) =>
        SyntaxFactory.ParseExpression($"{(isNegated ? "!" : "")}{Primary(view)}.{IsNull}");

    /// <summary>Gets the text of an expression, in parentheses if no dot can follow it.</summary>
    public static string Primary(ExpressionSyntax expression) =>
        expression is NameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax or ElementAccessExpressionSyntax or ParenthesizedExpressionSyntax or ThisExpressionSyntax
            or MemberBindingExpressionSyntax or ElementBindingExpressionSyntax
            ? expression.WithoutTrivia().ToString()
            : $"({expression.WithoutTrivia()})";
}
