using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.CodeFixes;

/// <summary>A value that is read from a view before an async function starts.</summary>
/// <param name="Value">The code that reads it.</param>
/// <param name="Type">Its type.</param>
/// <param name="Stem">A name for it, which may be taken.</param>
/// <param name="Uses">The code in the function that the value replaces; none if the value takes the place of the view.</param>
internal sealed record HoistedRead(string Value, string Type, string Stem, IReadOnlyList<ExpressionSyntax> Uses)
{
    private static readonly SymbolDisplayFormat TypeFormat =
        SymbolDisplayFormat.MinimallyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Gets what a body reads from a view; null if it uses the view itself, for example as an argument, or writes to its message.</summary>
    public static IReadOnlyList<HoistedRead>? Of(IParameterSymbol view, SyntaxNode body, SemanticModel model)
    {
        var reads = new List<(string Value, ITypeSymbol? Type, string Stem, ExpressionSyntax Use)>();
        foreach (var use in body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Where(use => IsOf(view, use, model) && !IsOnlyNamed(use, model)))
        {
            if (ReadAt(use, model) is not { } read || IsWritten(read.Use))
            {
                return null;
            }

            reads.Add(read);
        }

        return [.. from read in reads
                   group read by read.Value into same
                   let first = same.First()
                   select new HoistedRead(same.Key, TypeText(first.Type, model, body.SpanStart), first.Stem, [.. same.Select(static read => read.Use)])];
    }

    /// <summary>Gets the object that a view can be copied to; null if it has no such method.</summary>
    public static HoistedRead? CopyOf(IParameterSymbol view, SemanticModel model, int position) =>
        view.Type.GetMembers().OfType<IMethodSymbol>().FirstOrDefault(static method =>
            method is { IsStatic: false, Parameters.IsEmpty: true, DeclaredAccessibility: Accessibility.Public, ReturnType: INamedTypeSymbol { IsRefLikeType: false } }
            && method.Name.StartsWith("To", StringComparison.Ordinal)
            && method.ReturnType.AllInterfaces.Any(static implemented => implemented.OriginalDefinition.Is("BufferedMessages", "IBufferedMessageSource`1"))) is { } copy
            ? new HoistedRead($"{view.Name}.{copy.Name}()", TypeText(copy.ReturnType, model, position), view.Name, [])
            : null;

    /// <summary>Follows members until the value is not a view. A view's string becomes a string.</summary>
    private static (string Value, ITypeSymbol? Type, string Stem, ExpressionSyntax Use)? ReadAt(ExpressionSyntax view, SemanticModel model)
    {
        var current = view;
        while (model.GetTypeInfo(current).Type is { IsRefLikeType: true })
        {
            var isText = model.IsViewText(current);
            var next = NextOf(current);
            if (isText && (next is null || next is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: nameof(ToString) } }))
            {
                return (current.WithoutTrivia() + ".ToString()", null, StemOf(current), next ?? current);
            }

            // A union gives the view of a case only while it holds that case, which the body may have asked first.
            if (next is null || (next is InvocationExpressionSyntax && model.GetTypeInfo(next).Type is { IsRefLikeType: true }))
            {
                return null;
            }

            current = next;
        }

        return (current.WithoutTrivia().ToString(), model.GetTypeInfo(current).Type, StemOf(current), current);
    }

    private static ExpressionSyntax? NextOf(ExpressionSyntax current) => current.Parent switch
    {
        MemberAccessExpressionSyntax { RawKind: (int)SyntaxKind.SimpleMemberAccessExpression, Parent: InvocationExpressionSyntax call } access when call.Expression == access =>
            call.ArgumentList.Arguments.Count == 0 ? call : null,
        MemberAccessExpressionSyntax { RawKind: (int)SyntaxKind.SimpleMemberAccessExpression } access when access.Expression == current => access,
        _ => null,
    };

    private static string StemOf(ExpressionSyntax read)
    {
        var name = read switch
        {
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } => StemOf(access.Expression) + access.Name.Identifier.ValueText,
            MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
            _ => read.ToString(),
        };

        // A name that is not typed yet is empty.
        return name.Length == 0 ? "value" : char.ToLowerInvariant(name[0]) + name.Substring(1);
    }

    // A null type is that of a view's string, which may be null.
    private static string TypeText(ITypeSymbol? type, SemanticModel model, int position) =>
        type is not null ? type.TextAt(model, position, TypeFormat) ?? type.ToDisplayString()
        : model.GetNullableContext(position).AnnotationsEnabled() ? "string?"
        : "string";

    private static bool IsWritten(ExpressionSyntax read) => read.Parent switch
    {
        AssignmentExpressionSyntax assignment => assignment.Left == read,
        PostfixUnaryExpressionSyntax postfix => !postfix.IsKind(SyntaxKind.SuppressNullableWarningExpression),
        PrefixUnaryExpressionSyntax prefix => prefix.IsKind(SyntaxKind.PreIncrementExpression) || prefix.IsKind(SyntaxKind.PreDecrementExpression),
        ArgumentSyntax argument => argument.Parent is TupleExpressionSyntax { Parent: AssignmentExpressionSyntax assignment } && assignment.Left == argument.Parent,
        _ => false,
    };

    // A name is not read, and that of another variable would be another text.
    private static bool IsOnlyNamed(IdentifierNameSyntax use, SemanticModel model) => use.Ancestors().OfType<InvocationExpressionSyntax>().Any(call => model.GetOperation(call) is INameOfOperation);

    private static bool IsOf(IParameterSymbol view, IdentifierNameSyntax use, SemanticModel model) =>
        string.Equals(use.Identifier.ValueText, view.Name, StringComparison.Ordinal) && SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(use).Symbol, view);
}
