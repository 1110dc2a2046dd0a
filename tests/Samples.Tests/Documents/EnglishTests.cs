using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>The rules of CONTRIBUTING.md about language that patterns can hold, in the comments and texts of the sources, and in the documents.</summary>
public class EnglishTests
{
    [Fact]
    public void Comments_and_texts_of_the_sources_keep_the_rules() => AssertNone(Held("src", "*.cs").SelectMany(path => FaultsOf(path, EnglishText.OfSource(Repository.Read(path)))));

    [Fact]
    public void Documents_keep_the_rules() =>
        AssertNone(Held("docs", "*.md").Concat(Held("samples", "*.md")).Concat(Held("src", "*.md")).Concat(Held("templates", "*.md")).Concat(["README.md", "CONTRIBUTING.md"]).SelectMany(path => FaultsOf(path, EnglishText.OfDocument(Repository.Read(path)))));

    [Fact]
    public void Names_have_no_old_words() =>
        AssertNone(from path in Held("src", "*.cs")
                   from token in CSharpSyntaxTree.ParseText(Repository.Read(path)).GetRoot().DescendantTokens()
                   where token.RawKind == (int)SyntaxKind.IdentifierToken && EnglishRule.OldName.IsMatch(token.ValueText)
                   select $"{path}:{token.GetLocation().GetLineSpan().StartLinePosition.Line + 1}: the name {token.ValueText} has an old word. Use the word of docs/glossary.md.");

    [Fact]
    public void Summaries_of_public_members_begin_with_a_verb_and_those_of_types_do_not() =>
        AssertNone(from path in Held("src", "*.cs")
                   from summary in EnglishSummary.Of(Repository.Read(path))
                   where !summary.IsRight
                   select $"{path}:{summary.Line}: '{summary.Text}'. A member is a verb phrase in the third person, a type a noun phrase.");

    [Theory]
    [InlineData("The full path.", "Gets the full path.")]
    [InlineData("Whether the list is null.", "Checks whether the list is null.")]
    public void A_summary_without_a_verb_is_found(string wrong, string right)
    {
        Assert.False(Assert.Single(EnglishSummary.Of($"public class C\n{{\n    /// <summary>{wrong}</summary>\n    public int M {{ get; }}\n}}")).IsRight);
        Assert.True(Assert.Single(EnglishSummary.Of($"public class C\n{{\n    /// <summary>{right}</summary>\n    public int M {{ get; }}\n}}")).IsRight);
        Assert.False(Assert.Single(EnglishSummary.Of($"/// <summary>{right}</summary>\npublic class C;")).IsRight);
        Assert.Empty(EnglishSummary.Of($"internal class C\n{{\n    /// <summary>{wrong}</summary>\n    public int M {{ get; }}\n}}"));
    }

    [Theory]
    [InlineData("The burial of the dead comes first.", "old word")]
    [InlineData("The caller is the registrar.", "old word")]
    [InlineData("The cursor stands at the end.", "stand")]
    [InlineData("A process who died.", "who")]
    [InlineData("Whoever opens it next repairs it.", "who")]
    [InlineData("It keeps what was written.", "what")]
    [InlineData("What a consumer read stays uncommitted.", "what")]
    [InlineData("A reader is no participant.", "is no")]
    [InlineData("This is none of the modes.", "is no")]
    [InlineData("Nobody waits for it.", "somebody")]
    [InlineData("The position behind the last record.", "behind")]
    [InlineData("The record in front of it.", "behind")]
    [InlineData("The queue goes on meanwhile.", "filler")]
    [InlineData("It holds records and nothing else.", "filler")]
    [InlineData("It is delivered all the same.", "filler")]
    public void A_fault_is_found(string text, string rule)
    {
        Assert.Contains(FaultsOf("comment", EnglishText.OfSource($"// {text}\nclass C;")), fault => fault.StartsWith($"comment:1: [{rule}]", StringComparison.Ordinal));
        Assert.Contains(FaultsOf("summary", EnglishText.OfSource($"\n/// <summary>{text}</summary>\nclass C;")), fault => fault.StartsWith($"summary:2: [{rule}]", StringComparison.Ordinal));
        Assert.Contains(FaultsOf("text", EnglishText.OfSource($"class C {{ string s = \"{text}\"; }}")), fault => fault.StartsWith($"text:1: [{rule}]", StringComparison.Ordinal));
        Assert.Contains(FaultsOf("page", EnglishText.OfDocument($"# Page\n\n{text}\n")), fault => fault.StartsWith($"page:3: [{rule}]", StringComparison.Ordinal));
    }

    [Fact]
    public void A_fault_over_the_end_of_a_line_is_found_at_its_beginning() =>
        Assert.Equal(["comment:2: [filler] 'so many'. Leave it out."], FaultsOf("comment", EnglishText.OfSource("// The pool holds\n// at most so\n// many buffers.\nclass C;")));

    [Theory]
    [InlineData("A non-blocking read returning false means 'queue empty' to its caller.")]
    [InlineData("There is no queue at this path; it is no longer open.")]
    [InlineData("The letter stands for a type, whose name follows.")]
    [InlineData("The consumer begins 1 GB behind.")]
    [InlineData("Says what to do, or else throws.")]
    [InlineData("Code such as `Burial` is not read.")]
    public void A_text_without_fault_passes(string text) => Assert.Empty(FaultsOf("page", EnglishText.OfDocument(text)));

    [Theory]
    [InlineData("TryBury", true)]
    [InlineData("verdict", true)]
    [InlineData("_isAroused", true)]
    [InlineData("SeatCount", true)]
    [InlineData("TheirConfirmation", false)]
    [InlineData("Reseated", false)]
    public void Old_words_are_found_in_names(string name, bool isOld) => Assert.Equal(isOld, EnglishRule.OldName.IsMatch(name));

    private static IEnumerable<string> Held(string folder, string pattern) =>
        Repository.Files(folder, pattern)
            .Select(static path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/'));

    private static IEnumerable<string> FaultsOf(string path, IEnumerable<EnglishText> texts) =>
        from text in texts
        from rule in EnglishRule.All
        from fault in rule.FaultsIn(text.Text)
        select $"{path}:{text.LineOf(fault.Index)}: [{rule.Name}] '{fault.Value.Trim()}'. {rule.Better}";

    private static void AssertNone(IEnumerable<string> faults)
    {
        var found = string.Join("\n", faults);
        Assert.True(found.Length == 0, found);
    }
}
