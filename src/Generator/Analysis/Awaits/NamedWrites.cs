using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The search for code that writes to a variable, by the variable's name.</summary>
internal static class NamedWrites
{
    /// <summary>Determines whether code assigns a variable of a name, or passes it to a method that may.</summary>
    // Names are enough: code that writes to another variable of that name is not common.
    public static bool WritesTo(this SyntaxNode code, string name) => code.DescendantNodes().OfType<IdentifierNameSyntax>().Any(identifier =>
        string.Equals(identifier.Identifier.ValueText, name, StringComparison.Ordinal)
        && identifier.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == identifier,
            ArgumentSyntax argument => argument.RefKindKeyword.RawKind is (int)SyntaxKind.OutKeyword or (int)SyntaxKind.RefKeyword || argument.Parent is TupleExpressionSyntax,
            _ => false,
        });
}
