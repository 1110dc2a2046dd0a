using System.Text.RegularExpressions;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>A rule of the project's English that a pattern can hold, as CONTRIBUTING.md states it.</summary>
/// <param name="Name">The name of the rule.</param>
/// <param name="Better">The way to write it.</param>
/// <param name="Fault">Finds a text that breaks the rule.</param>
internal sealed record EnglishRule(string Name, string Better, Regex Fault)
{
    private const RegexOptions Options = RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant;

    /// <summary>The words that the glossary replaced; as parts of names too.</summary>
    private const string OldWords = "suspicion|suspect|verdict|burial|bury|buries|buried|adopter|adoption|adopt|heir|registrar|seat|aroused|hasty|convict";

    /// <summary>The verbs that follow a "what" that is the subject of its clause.</summary>
    private const string Verbs =
        "is|was|are|were|has|had|have|can|cannot|may|might|must|will|would|should|does|did|comes|came|lies|lay|stands|stood|follows|goes|remains|stays|needs|holds|"
        + "happens|leaked|survives|arrives|belongs|never|only|another";

    public static IReadOnlyList<EnglishRule> All { get; } =
    [
        New("old word", "Use the word of docs/glossary.md.", $@"\b(?i:({OldWords}|left message)(s|ed)?)\b"),
        New("stand", "Write 'is at', or the verb of the matter.", @"(?<!\bby )\b(?i:stands?|stood|standing)\b(?! (for|in for|alone)\b)"),
        New("who", "Name the process, thread or participant.", @"\b(?i:who|whoever|whom)\b"),
        New("what", "Name the thing; 'what' is not a subject.", $@"\b(?i:what) ({Verbs})\b|(^\s*|[.:;!?]\s+)What\b(?![^.]*\?)"),
        New("is no", "Write 'is not a'.", @"(?<![Tt]here )\b(is|was|are|were) (no (?!longer\b|more\b|less\b|smaller\b|larger\b|faster\b|slower\b)[a-z]|none of\b)"),
        New("somebody", "Name the process, thread or participant.", @"\b(?i:(some|no|any|every)(body|one))\b"),
        New("behind", "Write 'after' or 'before'.", @"\b(?i:behind|in front of)\b"),
        New("filler", "Leave it out.", @"\b(?i:all the same|so many|so much|meanwhile)\b|(?<!\bor )\belse(?=[.;,:)]|$)"),
    ];

    /// <summary>Finds an old word in a name.</summary>
    public static Regex OldName { get; } = new($"((^|_)(?i:{OldWords})|(?<=[a-z0-9])({Capitals(OldWords)}))(s|d|ed)?(?![a-z])", Options, TimeSpan.FromMinutes(1));

    /// <summary>Uses of words that are right: of things in space, and of distances in the log.</summary>
    private static readonly string[] Allowed = ["1 GB behind", "a gigabyte behind", "behind a pointer", "behind a reference", "behind an interface"];

    /// <summary>Finds the places where a text breaks the rule.</summary>
    public IEnumerable<Match> FaultsIn(string text) => Fault.Matches(Allowed.Aggregate(text, static (left, allowed) => left.Replace(allowed, new string('-', allowed.Length), StringComparison.Ordinal)));

    private static string Capitals(string words) => string.Join('|', words.Split('|').Select(static word => char.ToUpperInvariant(word[0]) + word[1..]));

    private static EnglishRule New(string name, string better, string pattern) => new(name, better, new Regex(pattern, Options, TimeSpan.FromMinutes(1)));
}
