using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.CodeFixes;

/// <summary>Edits of declarations. They preserve comments and indentation.</summary>
internal static class DeclarationEdits
{
    /// <summary>Gets the declaration of the member that a node names; a parameter for a positional record; null for others.</summary>
    public static SyntaxNode? MemberDeclaration(this SyntaxNode node) => node switch
    {
        PropertyDeclarationSyntax or FieldDeclarationSyntax or ParameterSyntax => node,
        VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax { Parent: FieldDeclarationSyntax field } } => field,
        _ => null,
    };

    /// <summary>Declares a type and its containing types partial.</summary>
    public static IEnumerable<SyntaxEdit> PartialChain(this SyntaxNode node) =>
        from declaration in node.AncestorsAndSelf().OfType<TypeDeclarationSyntax>()
        where !declaration.Modifiers.Any(SyntaxKind.PartialKeyword)
        select new SyntaxEdit(declaration, static current => AsPartial((TypeDeclarationSyntax)current));

    /// <summary>Adds an attribute of this product to a member, a parameter of a positional record, or a type.</summary>
    /// <param name="declaration">The declaration.</param>
    /// <param name="model">The semantic model of its file.</param>
    /// <param name="attribute">The attribute's name, without its namespace and suffix.</param>
    /// <param name="arguments">Its arguments in parentheses, or nothing.</param>
    public static SyntaxEdit WithProductAttribute(this SyntaxNode declaration, SemanticModel model, string attribute, string arguments = "")
    {
        var text = NameIn(declaration, model, attribute) + arguments;
        var lineEnd = BeginsLine(declaration) ? LineEndOf(declaration.SyntaxTree.GetText()) : null;
        return new SyntaxEdit(declaration, current => current switch
        {
            ParameterSyntax parameter => OnParameter(parameter, text),
            MemberDeclarationSyntax member => OnMember(member, text, lineEnd),
            _ => current,
        });
    }

    /// <summary>Adds an attribute of this product after the existing ones of a declaration; there must be at least one.</summary>
    /// <param name="declaration">The declaration.</param>
    /// <param name="model">The semantic model of its file.</param>
    /// <param name="attribute">The attribute's name, without its namespace and suffix.</param>
    /// <param name="arguments">Its arguments in parentheses, or nothing.</param>
    public static SyntaxEdit WithLastProductAttribute(this MemberDeclarationSyntax declaration, SemanticModel model, string attribute, string arguments)
    {
        var text = NameIn(declaration, model, attribute) + arguments;
        return new SyntaxEdit(declaration, current =>
        {
            var member = (MemberDeclarationSyntax)current;
            var last = member.AttributeLists.Last();
            var isOnOwnLine = last.GetTrailingTrivia().Any(SyntaxKind.EndOfLineTrivia);
            var list = Parse($"[{text}]")
                .WithLeadingTrivia(isOnOwnLine ? last.GetLeadingTrivia().Where(static trivia => trivia.IsKind(SyntaxKind.WhitespaceTrivia)).Take(1) : [])
                .WithTrailingTrivia(last.GetTrailingTrivia().Where(trivia => trivia.IsKind(isOnOwnLine ? SyntaxKind.EndOfLineTrivia : SyntaxKind.WhitespaceTrivia)));
            return member.WithAttributeLists(member.AttributeLists.Add(list));
        });
    }

    /// <summary>Puts an attribute of this product in the place of another attribute.</summary>
    /// <param name="replaced">The other attribute.</param>
    /// <param name="model">The semantic model of its file.</param>
    /// <param name="attribute">The attribute's name, without its namespace and suffix.</param>
    public static SyntaxEdit ReplacedByProductAttribute(this AttributeSyntax replaced, SemanticModel model, string attribute)
    {
        var name = SyntaxFactory.ParseName(NameIn(replaced, model, attribute));
        return new SyntaxEdit(replaced, current => SyntaxFactory.Attribute(name).WithTriviaFrom(current));
    }

    /// <summary>Determines whether a node is the first in its line.</summary>
    public static bool BeginsLine(this SyntaxNode node)
    {
        var text = node.SyntaxTree.GetText();
        var line = text.Lines.GetLineFromPosition(node.SpanStart);
        return text.ToString(TextSpan.FromBounds(line.Start, node.SpanStart)).Trim().Length == 0;
    }

    /// <summary>Gets the line ending of a file.</summary>
    public static string LineEndOf(SourceText text)
    {
        var first = text.Lines[0];
        return first.EndIncludingLineBreak > first.End ? text.ToString(TextSpan.FromBounds(first.End, first.EndIncludingLineBreak)) : "\n";
    }

    private static string NameIn(SyntaxNode declaration, SemanticModel model, string attribute)
    {
        var isKnown = model.LookupNamespacesAndTypes(declaration.SpanStart, name: attribute + "Attribute")
            .Any(static symbol => symbol.ContainingNamespace is { Name: "BufferedMessages", ContainingNamespace.IsGlobalNamespace: true });
        return (isKnown ? "" : "global::BufferedMessages.") + attribute;
    }

    private static TypeDeclarationSyntax AsPartial(TypeDeclarationSyntax declaration)
    {
        if (declaration.Modifiers.Any(SyntaxKind.PartialKeyword))
        {
            return declaration;
        }

        // Directives before the keyword may choose the other modifiers.
        var partial = SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithLeadingTrivia(declaration.Keyword.LeadingTrivia).WithTrailingTrivia(SyntaxFactory.Space);
        return declaration
            .WithKeyword(declaration.Keyword.WithLeadingTrivia())
            .WithModifiers(declaration.Modifiers.Add(partial));
    }

    private static ParameterSyntax OnParameter(ParameterSyntax parameter, string attribute)
    {
        var leading = parameter.GetLeadingTrivia();
        var list = Parse($"[property: {attribute}] ").WithLeadingTrivia(leading);
        return parameter.WithLeadingTrivia().WithAttributeLists(parameter.WithLeadingTrivia().AttributeLists.Insert(0, list));
    }

    // If the declaration begins its line, the attribute gets a line of its own, after the comments.
    private static MemberDeclarationSyntax OnMember(MemberDeclarationSyntax member, string attribute, string? lineEnd)
    {
        var leading = member.GetLeadingTrivia();
        var indentation = leading.Count != 0 && leading.Last().IsKind(SyntaxKind.WhitespaceTrivia) ? leading.Last().ToString() : "";
        var list = Parse($"[{attribute}]")
            .WithLeadingTrivia(leading)
            .WithTrailingTrivia(lineEnd is null ? SyntaxFactory.Space : SyntaxFactory.EndOfLine(lineEnd));
        var rest = member.WithLeadingTrivia(SyntaxFactory.Whitespace(lineEnd is null ? "" : indentation));
        return rest.WithAttributeLists(rest.AttributeLists.Insert(0, list));
    }

    private static AttributeListSyntax Parse(string list) => SyntaxFactory.ParseMemberDeclaration(list + "class C;")!.AttributeLists[0];
}
