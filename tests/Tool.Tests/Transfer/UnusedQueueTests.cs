namespace BufferedMessages.Tool.Tests;

/// <summary>The transfer of a queue that never had a message, and so has no content.</summary>
public sealed class UnusedQueueTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public UnusedQueueTests() => MessageQueue.Open(_folder.PathOf("source"), new MessageQueueOptions { SegmentBytes = 1 << 17 }).Dispose();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("import")]
    [InlineData("replay")]
    public async Task Makes_a_queue_like_it_with_create_and_refuses_one_that_is_missing_without(string command)
    {
        var export = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"));
        var from = _folder.PathOf(command == "import" ? "all.bmx" : "source");

        var refused = await ToolRun.InProcessAsync(command, from, _folder.PathOf("copy"));
        Assert.Equal((0, ""), (export.Code, export.Errors));
        Assert.NotEqual(0, refused.Code);
        Assert.Contains("does not exist", refused.Errors, StringComparison.Ordinal);
        Assert.False(MessageQueue.Exists(_folder.PathOf("copy")));

        for (var run = 0; run < 2; run++)
        {
            var made = await ToolRun.InProcessAsync(command, from, _folder.PathOf("copy"), "--create");
            Assert.Equal((0, ""), (made.Code, made.Errors));
            using var copy = MessageQueue.OpenReadOnly(_folder.PathOf("copy"));
            Assert.Equal(1 << 17, copy.SegmentBytes);
        }
    }
}
