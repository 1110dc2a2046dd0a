namespace BufferedMessages.Tool.Tests;

/// <summary>The properties of messages in an export file of another program.</summary>
public sealed class ImportedPropertiesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("0800FFFF", 65_536)] // A header of 65,535 bytes.
    [InlineData("01000800000000000000000001000800", 8)] // Two times.
    [InlineData("0400000001000800", 8)] // A correlation id before the time.
    [InlineData("01000400", 4)] // A time of 4 bytes.
    public async Task Damaged_properties_end_an_import_with_1_and_are_not_published(string first, int zeros)
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 1);
        Export([.. Convert.FromHexString(first), .. new byte[zeros]]);

        var import = await ToolRun.InProcessAsync("import", _folder.PathOf("all.bmx"), _folder.PathOf("copy"), "--create");

        Assert.Equal(1, import.Code);
        Assert.Contains("The message is malformed", import.Errors, StringComparison.Ordinal);
        using var copy = MessageQueue.OpenReadOnly(_folder.PathOf("copy"));
        using var reader = copy.OpenReader<RawMessage>();
        Assert.False(reader.TryRead(out _));
    }

    private void Export(byte[] entries)
    {
        using var queue = MessageQueue.OpenReadOnly(_folder.PathOf("source"));
        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var delivery));
        using var file = File.Create(_folder.PathOf("all.bmx"));
        var writer = new ExportWriter(file, ExportedQueue.Of(queue));
        writer.Add(delivery.Id, delivery.Message.Bytes, entries);
        writer.End(delivery.End);
        delivery.Dispose();
    }
}
