using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>The beginning of the summary of a public type or of a public member of one.</summary>
/// <param name="Line">The line of the declaration, from 1.</param>
/// <param name="IsType">Whether it is that of a type.</param>
/// <param name="Text">The words of its first line.</param>
internal sealed partial record EnglishSummary(int Line, bool IsType, string Text)
{
    // Comments are read as plain ones.
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview, DocumentationMode.None, preprocessorSymbols: ["NET", "NET10_0", "NET10_0_OR_GREATER"]);

    // Plurals with which the summary of a type may begin.
    private static readonly string[] Nouns = ["Bytes", "Copies", "Counts", "Extensions", "Keys", "Messages", "Values"];

    /// <summary>Whether a member begins with a verb in the third person, and a type does not.</summary>
    public bool IsRight => Verb().IsMatch(Text) != IsType || (IsType && Nouns.Any(noun => Text.StartsWith(noun, StringComparison.Ordinal)));

    /// <summary>Finds the summaries of the public types of a source file and of their public members, but for the values of enums.</summary>
    public static IEnumerable<EnglishSummary> Of(string source) =>
        from node in CSharpSyntaxTree.ParseText(source, ParseOptions).GetRoot().DescendantNodes().OfType<MemberDeclarationSyntax>()
        where node is not EnumMemberDeclarationSyntax && node.AncestorsAndSelf().OfType<MemberDeclarationSyntax>().All(IsPublic)
        let summary = Summary().Match(node.GetLeadingTrivia().ToFullString())
        where summary.Success
        select new EnglishSummary(node.GetLocation().GetLineSpan().StartLinePosition.Line + 1, node is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax, summary.Groups["text"].Value);

    private static bool IsPublic(MemberDeclarationSyntax node) =>
        node is BaseNamespaceDeclarationSyntax
        || node.Modifiers.Any(SyntaxKind.PublicKeyword)
        || (node.Parent is InterfaceDeclarationSyntax && !node.Modifiers.Any(SyntaxKind.InternalKeyword));

    [GeneratedRegex(@"/// <summary>\s*(/// )?(?<text>[^\n<]*)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Summary();

    [GeneratedRegex("^[A-Z][a-z]+s\\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Verb();
}
