using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>
/// A fix for an async method with a view as a parameter: the method reads what its body needs, and passes it to an async local function with that body. It is
/// offered only if the result compiles.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AwaitInLocalFunctionCodeFix() : SyntaxCodeFix("Read the view first, and await in a local function", RefStructParameter)
{
    /// <summary>The compiler's error for a ref struct as a parameter of an async function.</summary>
    private const string RefStructParameter = "CS4012";

    // A function in another one is fixed after it.
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        var models = places
            .Select(static place => (Function: place.Node.FirstAncestorOrSelf<ParameterSyntax>()?.Parent?.Parent, place.Model))
            .Where(static found => found.Function is MethodDeclarationSyntax or LocalFunctionStatementSyntax)
            .GroupBy(static found => found.Function!, static found => found.Model)
            .ToDictionary(static function => function.Key, static function => function.First());
        return from function in models
               where !function.Key.Ancestors().Any(models.ContainsKey)
               let split = SplitFunction.Of(function.Key, function.Value, cancellation)
               where split is not null
               select new SyntaxEdit(function.Key, _ => split);
    }
}
