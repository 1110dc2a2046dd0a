using System.Runtime.CompilerServices;
using System.Xml.Linq;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Tests;

/// <summary>Rules, their analyzers, their pages, the index of the pages and the release list agree.</summary>
public sealed class DiagnosticDocumentationTests
{
    internal static readonly string Root = FindRoot();

    public static TheoryData<string> RuleIds => [.. Ids];

    [Fact]
    public void Every_rule_has_one_analyzer()
    {
        var analyzed = typeof(Rules).Assembly.GetTypes()
            .Where(static type => !type.IsAbstract && type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
            .SelectMany(static type => ((DiagnosticAnalyzer)Activator.CreateInstance(type)!).SupportedDiagnostics.Select(static rule => rule.Id));

        Assert.Equal(Ids, analyzed.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_rule_has_a_page_and_every_page_a_rule() =>
        Assert.Equal(
            Ids,
            Directory.GetFiles(Path.Combine(Root, "docs", "diagnostics"), "BMSG*.md").Select(static path => Path.GetFileNameWithoutExtension(path)!).Order(StringComparer.Ordinal));

    [Fact]
    public void Every_page_says_what_is_flagged_how_it_is_fixed_and_when_to_suppress_it() =>
        Assert.All(AllRules.Descriptors, static rule =>
        {
            var page = File.ReadAllText(Path.Combine(Root, rule.HelpLinkUri));
            Assert.StartsWith($"# {rule.Id}: {rule.Title}\n", page, StringComparison.Ordinal);
            Assert.Contains("\n## Flagged\n", page, StringComparison.Ordinal);
            Assert.Contains("\n## Fixed\n", page, StringComparison.Ordinal);
            Assert.Contains("\n## When to suppress\n", page, StringComparison.Ordinal);
        });

    [Theory]
    [MemberData(nameof(RuleIds))]
    public async Task The_examples_of_a_page_break_and_keep_its_rule(string id)
    {
        var page = File.ReadAllText(Path.Combine(Root, "docs", "diagnostics", id + ".md"));
        var examples = page.Split("\n## ").Where(static section => section.StartsWith("Flagged\n", StringComparison.Ordinal) || section.StartsWith("Fixed\n", StringComparison.Ordinal)).ToList();
        var projects = examples.ConvertAll(static example => ProjectOf(example).Generate());
        var layouts = examples.ConvertAll(static example => Block(example, "text"));

        Assert.Equal(2, examples.Count);
        Assert.Equal([id], (await AnalyzerTests.Analyze(projects[0].Compilation, layouts[0])).Concat(projects[0].GeneratorDiagnostics).Select(static problem => problem.Id));
        Assert.Empty(await AnalyzerTests.Analyze(projects[1].Compilation, layouts[1]));
        Assert.Empty(projects[1].Problems);
    }

    [Fact]
    public void The_index_lists_every_rule() =>
        Assert.Equal(
            AllRules.Descriptors.Select(static rule => $"| [{rule.Id}]({rule.Id}.md) | {rule.DefaultSeverity} | {rule.Title} |").Order(StringComparer.Ordinal),
            Rows(Path.Combine("docs", "diagnostics", "README.md"), "| [BMSG"));

    [Fact]
    public void The_release_list_has_every_rule() =>
        Assert.Equal(
            AllRules.Descriptors.Select(static rule => $"{rule.Id} | {rule.Category} | {rule.DefaultSeverity} | {rule.HelpLinkUri}").Order(StringComparer.Ordinal),
            Rows(Path.Combine("src", "Generator", "AnalyzerReleases.Unshipped.md"), "BMSG")
                .Concat(Rows(Path.Combine("src", "Generator", "AnalyzerReleases.Shipped.md"), "BMSG"))
                .Order(StringComparer.Ordinal));

    [Fact]
    public void No_message_ends_with_a_full_stop() =>
        Assert.All(AllRules.Descriptors, static rule => Assert.False(rule.MessageFormat.ToString(System.Globalization.CultureInfo.InvariantCulture).EndsWith('.')));

    private static IEnumerable<string> Ids => AllRules.Descriptors.Select(static rule => rule.Id).Order(StringComparer.Ordinal);

    private static IEnumerable<string> Rows(string path, string start) =>
        File.ReadLines(Path.Combine(Root, path)).Where(line => line.StartsWith(start, StringComparison.Ordinal)).Order(StringComparer.Ordinal);

    /// <summary>Gets the project of an example, in the language version that it names.</summary>
    private static SourceProject ProjectOf(string example)
    {
        var options = new ProjectOptions();
        if (Block(example, "xml") is { } properties)
        {
            Assert.True(LanguageVersionFacts.TryParse(XElement.Parse(properties).Value, out var version));
            options = options with { LanguageVersion = version };
        }

        return SourceProject.Of(Block(example, "csharp")!, options);
    }

    /// <summary>Gets the block of a language in an example, or null.</summary>
    private static string? Block(string example, string language)
    {
        var blocks = example.Split($"```{language}\n");
        Assert.True(blocks.Length <= 2, $"The example has several blocks of {language}.");
        return blocks.Length == 1 ? null : blocks[1][..blocks[1].IndexOf("```", StringComparison.Ordinal)];
    }

    private static string FindRoot([CallerFilePath] string thisFile = "")
    {
        var folder = Path.GetDirectoryName(thisFile);
        while (folder is not null && !File.Exists(Path.Combine(folder, "Toolkit.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new InvalidOperationException("The repository's root is not above this test's file.");
    }
}
