namespace BufferedMessages.Tool.Tests;

/// <summary>The lines of docs/tool.md that switch completion on.</summary>
public class CompletionTests
{
    [FileTheory(FileTheoryAttribute.Bash)]
    [InlineData("bufferedmessages ver", "verify")]
    [InlineData("bufferedmessages verify --che", "--checksums")]
    [InlineData("bufferedmessages name s", "seek")]
    [InlineData("bufferedmessages replay a b --speed m", "max")]
    [InlineData("bmq dead re", "requeue")]
    [InlineData("bufferedmessages nothing-begins-so", "")]
    public async Task Bash_completes_what_was_typed(string line, string expected)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.PathOf("completion"), Block("bash"));
        var words = line.Split(' ');
        var typed = string.Join(' ', words.Select(static word => $"'{word}'"));
        File.WriteAllText(
            folder.PathOf("press-tab"),
            $"source ./completion\nCOMP_LINE='{line}' COMP_POINT={line.Length} COMP_WORDS=({typed}) COMP_CWORD={words.Length - 1}\n_bufferedmessages\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\ncomplete -p {words[0]}\n");

        var output = await Shell.RunAsync(folder.Path, $"{FileTheoryAttribute.Bash} --noprofile --norc ./press-tab");

        Assert.Equal($"{expected}\ncomplete -o default -F _bufferedmessages {words[0]}\n", output);
    }

    [ZshTheory]
    [InlineData("bufferedmessages ver", "verify")]
    [InlineData("bufferedmessages verify --che", "--checksums")]
    [InlineData("bufferedmessages name s", "seek")]
    [InlineData("bmq dead re", "requeue")]
    public async Task Zsh_completes_what_was_typed(string line, string expected)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.PathOf(".zshrc"), $"autoload -U compinit\ncompinit -u -D\nPROMPT='ready> '\n{Block("zsh")}");

        // A shell in a terminal of its own, where Tab is pressed.
        File.WriteAllText(
            folder.PathOf("press-tab"),
            $$"""
            zmodload zsh/zpty
            zpty shell "ZDOTDIR=${(q)PWD} TERM=dumb {{ZshTheoryAttribute.Program}} -i"
            zpty -r shell before '*ready> *'
            zpty -w -n shell '{{line}}'$'\t'
            zpty -r shell after '*{{expected}}*'
            zpty -d shell
            print -r -- completed
            """);

        var output = await Shell.RunAsync(folder.Path, $"timeout 60 {ZshTheoryAttribute.Program} -f ./press-tab");

        Assert.Equal("completed\n", output);
    }

    private static string Block(string language)
    {
        var page = Repository.Read("docs/tool.md");
        const string Begin = "## Completion\n";
        var start = page.IndexOf($"```{language}\n", page.IndexOf(Begin, StringComparison.Ordinal), StringComparison.Ordinal) + language.Length + 4;
        return page[start..page.IndexOf("```", start, StringComparison.Ordinal)];
    }
}
