namespace BufferedMessages.Tool.Tests;

/// <summary>Names that an export does not take, and files that an import does not.</summary>
public class ExportedFileTests
{
    [Theory]
    [InlineData]
    [InlineData("--json")]
    [InlineData("--arrow")]
    public async Task A_folder_is_refused_before_the_first_message_is_read(params string[] options)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        Directory.CreateDirectory(folder.PathOf("taken"));

        var run = await ToolRun.InProcessAsync(["export", folder.PathOf("orders"), folder.PathOf("taken"), .. options]);

        Assert.Equal((2, "", $"'{folder.PathOf("taken")}' is a folder. Give the name of a file.\n"), (run.Code, run.Output, run.Errors));
        Assert.Equal([folder.PathOf("orders"), folder.PathOf("taken")], Directory.GetFileSystemEntries(folder.Path).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Two_exports_in_one_file_are_not_taken_for_the_first_one()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await ToolRun.InProcessAsync("export", folder.PathOf("orders"), folder.PathOf("all.bmx"));
        var bytes = File.ReadAllBytes(folder.PathOf("all.bmx"));
        File.WriteAllBytes(folder.PathOf("two.bmx"), [.. bytes, .. bytes]);

        var run = await ToolRun.InProcessAsync("import", folder.PathOf("two.bmx"), folder.PathOf("copy"), "--create");

        Assert.Equal((1, ""), (run.Code, run.Output));
        Assert.Contains("the file goes on after its end", run.Errors, StringComparison.Ordinal);
        Assert.Contains("3 messages imported.", run.Errors, StringComparison.Ordinal);
    }
}
