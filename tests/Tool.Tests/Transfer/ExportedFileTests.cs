namespace BufferedMessages.Tool.Tests;

/// <summary>Names that an export does not take.</summary>
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
}
