using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parameter of an async method that is a view, or may be one: a type that is not known yet may be a view that is about to be generated. The generator reports
/// it, because the compiler stops at an error in a declaration before it runs analyzers.
/// </summary>
/// <param name="Name">The name of the parameter.</param>
/// <param name="UnknownType">The name of its type, past aliases, if that is not known yet; otherwise null.</param>
/// <param name="File">The path of the file.</param>
/// <param name="Span">The place of the name in the file.</param>
/// <param name="Lines">The same by lines.</param>
internal sealed record AsyncView(string Name, string? UnknownType, string File, TextSpan Span, LinePositionSpan Lines)
{
    /// <summary>Determines quickly whether a node is an async method with parameters.</summary>
    public static bool IsCandidate(SyntaxNode node) =>
        node is MethodDeclarationSyntax { ParameterList.Parameters.Count: not 0 } method && method.Modifiers.Any(SyntaxKind.AsyncKeyword);

    /// <summary>Finds the parameters of an async method that are or may be views.</summary>
    public static IEnumerable<AsyncView> In(MethodDeclarationSyntax method, SemanticModel model, CancellationToken cancellation) =>
        from parameter in method.ParameterList.Parameters
        where parameter.Type is NameSyntax and not IdentifierNameSyntax { Identifier.ValueText: nameof(CancellationToken) }
        let type = model.GetTypeInfo(parameter.Type!, cancellation).Type
        let isUnknown = type is IErrorTypeSymbol
        where isUnknown || IsView(type)
        let identifier = parameter.Identifier
        select new AsyncView(identifier.ValueText, isUnknown ? type!.Name : null, method.SyntaxTree.FilePath, identifier.Span, method.SyntaxTree.GetLineSpan(identifier.Span, cancellation).Span);

    /// <summary>Creates the diagnostic for a view as a parameter of an async function.</summary>
    public static Diagnostic ProblemAt(Location place, string parameter) => Diagnostic.Create(
        Rules.ViewOverAwait,
        place,
        parameter,
        "a view that an async function has as a parameter",
        "view",
        "remove async, read what you need from it, and call an async local function with that");

    /// <summary>Creates the diagnostic.</summary>
    public Diagnostic ToProblem() => ProblemAt(Location.Create(File, Span, Lines), Name);

    private static bool IsView(ITypeSymbol? type) =>
        type is { IsRefLikeType: true } && (type.ContainingNamespace.IsNamed("BufferedMessages") || type.AllInterfaces.Any(static implemented => implemented.ContainingNamespace.IsNamed("BufferedMessages")));
}
