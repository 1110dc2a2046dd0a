using BufferedMessages.Caching.Torture;

namespace BufferedMessages.Caching.Tests;

/// <summary>Rounds of torture. On a busy machine some processes are killed before they have begun, so a round goes on until an entry was found.</summary>
public sealed class TortureTests
{
    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    public async Task A_round_of_torture_finds_nothing(string crowd)
    {
        var output = new StringWriter();

        var exitCode = await TortureCommand.RunAsync(["--seconds", "1", "--hits", "1", "--kills", "5", "--seed", "11", "--crowd", crowd], output);

        Assert.True(exitCode == 0, output.ToString());
    }

    [Fact]
    public async Task A_round_of_torture_of_a_shared_cache_finds_nothing()
    {
        var output = new StringWriter();

        var exitCode = await TortureCommand.RunAsync(["--seconds", "5", "--hits", "1", "--kills", "5", "--seed", "13", "--sharers", "3"], output);

        Assert.True(exitCode == 0, output.ToString());
    }

    // An entry that its tag did not remove is too old for a reader, and the wrong one after a kill.
    [Theory]
    [InlineData("bad", "(bad|torn)")]
    [InlineData("lost", "lost")]
    [InlineData("torn", "(bad|torn)")]
    [InlineData("tag", "(bad|lost)")]
    public async Task A_planted_fault_is_found(string fault, string count)
    {
        var output = new StringWriter();

        var exitCode = await TortureCommand.RunAsync(["--seconds", "240", "--seed", "12", "--plant", fault], output);

        Assert.True(exitCode == 1, output.ToString());
        Assert.Matches($" {count} [1-9]", output.ToString());
    }

    // Without the keys that are set once the files of the cache seldom reach the budget: it empties segments that hardly hold a living entry.
    [Fact]
    public async Task A_writer_whose_files_are_above_the_budget_is_found()
    {
        var output = new StringWriter();

        var exitCode = await TortureCommand.RunAsync(["--seconds", "240", "--seed", "12", "--crowd", "1", "--plant", "overbudget"], output);

        Assert.True(exitCode == 1, output.ToString());
        Assert.Matches(" overbudget [1-9]", output.ToString());
    }

    [Theory]
    [InlineData("lost", "lost")]
    [InlineData("tag", "(bad|lost)")]
    public async Task A_planted_fault_of_a_process_that_shares_the_cache_is_found(string fault, string count)
    {
        var output = new StringWriter();

        var exitCode = await TortureCommand.RunAsync(["--seconds", "240", "--seed", "14", "--sharers", "3", "--plant", fault], output);

        Assert.True(exitCode == 1, output.ToString());
        Assert.Matches($" {count} [1-9]", output.ToString());
    }

    [Theory]
    [InlineData("--sharers", "1", "--kills", "1")]
    [InlineData("--sharers", "3", "--crowd", "1")]
    [InlineData("--sharers", "3", "--plant", "overbudget")]
    [InlineData("--crowd", "1", "--plant", "lost")]
    public async Task Options_with_which_nothing_would_be_found_are_refused(string option, params string[] others) =>
        Assert.Equal(2, await TortureCommand.RunAsync(["--seconds", "1", option, .. others], TextWriter.Null));

    // Tags of a group are removed together: an entry with another one would be missing, and not be lost.
    [Fact]
    public void The_tags_of_the_torture_are_in_groups_of_their_own() =>
        Assert.Equal(TortureLane.Tags, Enumerable.Range(0, TortureLane.Tags).Select(static tag => TagBlock.GroupOf(TortureLane.NameOfTag(tag))).Append(TagBlock.GroupOf("torture")).Distinct().Count() - 1);
}
