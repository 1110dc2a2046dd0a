using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>Tests for null that C# programmers write and that the compiler refuses of a view, which is a struct: it says by <c>IsNull</c> that the message has a null there.</summary>
internal static class NullTest
{
    /// <summary>The compiler's error of a null where a struct stands, for example <c>view.Note is null</c>.</summary>
    public const string NullOfStruct = "CS0037";

    /// <summary>The compiler's error of an operator that the operands do not have, for example <c>view.Note ?? ""</c>.</summary>
    public const string NoSuchOperator = "CS0019";

    /// <summary>The compiler's error of <c>?.</c> on a struct.</summary>
    public const string ConditionalAccess = "CS0023";

    private const string IsNull = "IsNull";

    /// <summary>Whether an expression is a view that says whether it is null.</summary>
    public static bool IsView(this SemanticModel model, ExpressionSyntax expression) =>
        model.GetTypeInfo(expression).Type is { IsRefLikeType: true } type && type.GetMembers(IsNull).OfType<IPropertySymbol>().Any(static property => !property.IsStatic);

    /// <summary>Asks a view whether it is null.</summary>
    public static ExpressionSyntax Ask(ExpressionSyntax view, bool isNegated = false) =>
        SyntaxFactory.ParseExpression($"{(isNegated ? "!" : "")}{Primary(view)}.{IsNull}");

    /// <summary>The text of an expression, in brackets if a dot may not follow it.</summary>
    public static string Primary(ExpressionSyntax expression) =>
        expression is NameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax or ElementAccessExpressionSyntax or ParenthesizedExpressionSyntax or ThisExpressionSyntax
            ? expression.WithoutTrivia().ToString()
            : $"({expression.WithoutTrivia()})";
}
