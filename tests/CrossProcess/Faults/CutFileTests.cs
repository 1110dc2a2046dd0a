namespace BufferedMessages.CrossProcess;

/// <summary>A control file is cut while it is mapped. The system ends a process that touches the missing bytes.</summary>
public sealed class CutFileTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData("before")]
    [InlineData("after")]
    public void Participants_that_close_do_not_touch_a_control_file_that_was_cut(string watch)
    {
        using var program = Peer.Start(nameof(Parts.CloseAfterCut), _directory.Queue, watch);

        Assert.Equal("closed", program.Hear());
    }
}
