namespace BufferedMessages.Tool.Tests;

public sealed class DumpTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly IReadOnlyList<long> _positions;

    public DumpTests() => _positions = QueueOfOrders.Create(Orders, 5);

    private string Orders => _folder.PathOf("orders");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_range_begins_at_the_first_place_and_ends_before_the_second_one()
    {
        Assert.Equal("1,2,3,4,5", await IdsAsync("--from", "earliest", "--to", "latest"));
        Assert.Equal("2,3", await IdsAsync("--from", $"{_positions[1]}", "--to", $"{_positions[3]}"));
        Assert.Equal("", await IdsAsync("--from", $"{_positions[1]}", "--to", $"{_positions[1]}"));
    }

    [Fact]
    public async Task A_count_is_the_largest_number_of_messages()
    {
        Assert.Equal("", await IdsAsync("-n", "0"));
        Assert.Equal("1,2", await IdsAsync("-n", "2"));
        Assert.Equal("3", await IdsAsync("--from", $"{_positions[2]}", "-n", "1"));
        Assert.Equal("4,5", await IdsAsync("--from", $"{_positions[3]}", "-n", "9"));
    }

    [Fact]
    public async Task A_file_gets_what_the_output_would_and_is_never_written_over()
    {
        var shown = await ToolRun.InProcessAsync("dump", Orders, "--json");
        var written = await ToolRun.InProcessAsync("dump", Orders, "--json", "--out", _folder.PathOf("copy"));
        var again = await ToolRun.InProcessAsync("dump", Orders, "--hex", "--out", _folder.PathOf("copy"));

        Assert.Equal((0, "", ""), (written.Code, written.Output, written.Errors));
        Assert.Equal((2, ""), (again.Code, again.Output));
        Assert.Contains("already exists", again.Errors, StringComparison.Ordinal);
        Assert.Equal(shown.Output, File.ReadAllText(_folder.PathOf("copy")));
    }

    [Fact]
    public async Task A_dump_that_does_not_end_leaves_no_file()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        // It is cancelled before its first message.
        var run = await ToolRun.InProcessAsync("", hasColors: false, cancelled.Token, "dump", Orders, "--out", _folder.PathOf("copy"));

        Assert.Equal((2, "", "Interrupted.\n"), (run.Code, run.Output, run.Errors));
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    private async Task<string> IdsAsync(params string[] options)
    {
        var run = await ToolRun.InProcessAsync(["dump", Orders, "--format", "{Id}", .. options]);
        Assert.Equal((0, ""), (run.Code, run.Errors));
        return string.Join(',', run.Lines);
    }
}
