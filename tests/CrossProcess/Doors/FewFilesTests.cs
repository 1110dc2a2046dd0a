namespace BufferedMessages.CrossProcess.Doors;

/// <summary>A process that had no room for another file or thread works again as soon as it has.</summary>
public sealed class FewFilesTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixFact]
    public void A_wait_and_a_flush_in_the_background_begin_after_the_process_had_too_many_open_files()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var program = Peer.Start(nameof(FewFilesParts.RunOutOfFiles), _directory.Queue);

        Assert.Equal("works", program.Hear());
    }

    [UnixFact]
    public void The_first_participant_of_a_process_opens_after_the_process_had_too_many_open_files()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var program = Peer.Start(nameof(FewFilesParts.BeginWithoutFiles), _directory.Queue);

        Assert.Equal("works", program.Hear());
    }
}
