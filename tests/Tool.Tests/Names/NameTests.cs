namespace BufferedMessages.Tool.Tests;

public class NameTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_name_is_moved_to_a_position(bool isGroup)
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        Open(folder.PathOf("orders"), "audit", isGroup);

        var run = await ToolRun.InProcessAsync("name", "seek", folder.PathOf("orders"), "audit", "--to", $"{positions[2]}");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        var tail = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--name", "audit", "--format", "{Id}");
        Assert.Equal("3\n", tail.Output);
    }

    [Fact]
    public async Task A_mistyped_name_is_not_created_by_a_seek()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Open(folder.PathOf("orders"), "audit", isGroup: false);

        var run = await ToolRun.InProcessAsync("name", "seek", folder.PathOf("orders"), "adit", "--to", "latest");

        Assert.Equal(2, run.Code);
        Assert.Contains("Did you mean 'audit'?", run.Errors, StringComparison.Ordinal);
        Assert.Equal(["audit"], NamesOf(folder.PathOf("orders")));
    }

    [Fact]
    public async Task A_name_that_is_in_use_is_not_moved_and_its_process_is_named()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        using var consumer = queue.OpenConsumer<RawMessage>("audit");

        var run = await ToolRun.InProcessAsync("name", "seek", folder.PathOf("orders"), "audit", "--to", "latest");

        Assert.Equal(2, run.Code);
        Assert.Contains($"{Environment.ProcessId}", run.Errors, StringComparison.Ordinal);
        Assert.Equal(0, queue.GetStatistics().Consumers[0].Position);
    }

    [Theory]
    [InlineData("y\n", 0)]
    [InlineData("n\n", 2)]
    [InlineData("", 2)]
    public async Task A_name_is_deleted_only_after_a_yes(string answer, int code)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Open(folder.PathOf("orders"), "audit", isGroup: false);

        var run = await ToolRun.InProcessAsync(answer, hasColors: false, CancellationToken.None, "name", "rm", folder.PathOf("orders"), "audit");

        Assert.Equal(code, run.Code);
        Assert.Contains("Delete the name 'audit'", run.Errors, StringComparison.Ordinal);
        Assert.Equal(code == 0 ? [] : ["audit"], NamesOf(folder.PathOf("orders")));
    }

    [Fact]
    public async Task A_deletion_is_an_object_for_programs()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Open(folder.PathOf("orders"), "audit", isGroup: false);

        var run = await ToolRun.InProcessAsync("name", "rm", folder.PathOf("orders"), "audit", "--yes", "--json");

        Assert.Equal((0, """{"name":"audit","deleted":true}""" + "\n", ""), (run.Code, run.Output, run.Errors));
        Assert.Empty(NamesOf(folder.PathOf("orders")));
    }

    [Fact]
    public async Task A_name_that_another_process_deletes_before_the_answer_is_not_reported_as_deleted_by_the_command()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Open(folder.PathOf("orders"), "audit", isGroup: false);
        using var process = ToolRun.Start(folder.Path, "name", "rm", "./orders", "audit");
        await process.StandardError.ReadBlockAsync(new char[6], 0, 6).WaitAsync(TimeSpan.FromSeconds(60));
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            Assert.True(queue.DeleteConsumer("audit"));
        }

        await process.StandardInput.WriteLineAsync("y");
        process.StandardInput.Close();

        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(0, process.ExitCode);
        Assert.EndsWith("audit was already deleted by another process.\n", await process.StandardError.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ctrl_C_ends_the_question_without_an_answer()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Open(folder.PathOf("orders"), "audit", isGroup: false);
        using var process = ToolRun.Start(folder.Path, "name", "rm", "./orders", "audit");
        var question = new char[6];
        await process.StandardError.ReadBlockAsync(question, 0, question.Length).WaitAsync(TimeSpan.FromSeconds(60));

        await Signals.InterruptAsync(process);

        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(("Delete", 2), (new string(question), process.ExitCode));
        Assert.EndsWith("Interrupted.\n", await process.StandardError.ReadToEndAsync(), StringComparison.Ordinal);
        Assert.Equal(["audit"], NamesOf(folder.PathOf("orders")));
    }

    private static void Open(string path, string name, bool isGroup)
    {
        using var queue = MessageQueue.Open(path);
        using var consumer = queue.OpenConsumer<RawMessage>(name, new ConsumerOptions { Shared = isGroup });
    }

    private static IEnumerable<string> NamesOf(string path)
    {
        using var queue = MessageQueue.OpenReadOnly(path);
        return [.. queue.GetStatistics().Consumers.Select(static name => name.Name)];
    }
}
