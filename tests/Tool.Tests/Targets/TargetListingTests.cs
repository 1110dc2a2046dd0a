namespace BufferedMessages.Tool.Tests;

public sealed class TargetListingTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_folder_whose_name_is_not_UTF_8_hides_no_queue_beside_it()
    {
        QueueOfOrders.Create(_folder.PathOf("a/orders"), 1);
        QueueOfOrders.Create(_folder.PathOf("z/orders"), 1);
        using var watched = new WatchedFolders([_folder.Path], CancellationToken.None);

        // No path of .NET leads to such a folder, so only the shell can delete it.
        Assert.Empty(await Shell.RunAsync(_folder.Path, "mkdir \"$(printf 'b\\377')\""));
        var list = await ToolRun.InProcessAsync("ls", _folder.Path, "--recursive", "--json");
        var served = ServedFolders.Of([_folder.Path]).List(CancellationToken.None);
        watched.Sample();
        Assert.Empty(await Shell.RunAsync(_folder.Path, "rmdir b*"));

        string[] paths = [_folder.PathOf("a/orders"), _folder.PathOf("z/orders")];
        Assert.Equal((0, 2, ""), (list.Code, list.Lines.Length, list.Errors));
        Assert.Equal(paths, served.Select(static target => target.Target.Path));
        Assert.Equal(paths, watched.Queues.Select(static queue => queue.Path));
    }

    [Fact]
    public void A_folder_that_vanishes_during_the_search_hides_no_queue_beside_it()
    {
        foreach (var name in new[] { "a/orders", "b/orders", "c/orders" })
        {
            QueueOfOrders.Create(_folder.PathOf(name), 1);
        }

        var found = new List<string>();
        foreach (var target in TargetListing.In(_folder.Path, isRecursive: true, CancellationToken.None))
        {
            found.Add(target.Path);
            if (found.Count == 1)
            {
                Directory.Delete(_folder.PathOf("b"), recursive: true);
            }
        }

        Assert.Equal([_folder.PathOf("a/orders"), _folder.PathOf("c/orders")], found);
    }

    [OtherUserFact]
    public async Task A_folder_that_may_not_be_read_is_not_said_to_be_empty_and_one_below_is_left_out()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);

        // Root may read every folder, except without these rights.
        var output = await Shell.RunAsync(
            _folder.Path,
            $"mkdir -m 0 locked; run='{OtherUserFactAttribute.Program} --bounding-set=-dac_override,-dac_read_search bufferedmessages ls'; $run ./locked; echo $?; $run . --recursive --json; echo $?");

        Assert.Matches("^Access to the path '.*/locked' is denied\\.\n2\n\\{\"kind\":\"queue\",[^\n]*\n0\n$", output);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_queue_whose_control_file_no_longer_begins_as_one_is_listed_as_damaged(bool isEmpty)
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);
        Spoil(_folder.PathOf("orders"), isEmpty);
        using var watched = new WatchedFolders([_folder.Path], CancellationToken.None);

        var list = await ToolRun.InProcessAsync("ls", _folder.Path, "--json");
        var info = await ToolRun.InProcessAsync("info", _folder.PathOf("orders"));
        var served = ServedFolders.Of([_folder.Path]).List(CancellationToken.None);
        watched.Sample();

        Assert.Equal((1, ""), (list.Code, list.Errors));
        Assert.EndsWith(",\"damaged\":true}", Assert.Single(list.Lines), StringComparison.Ordinal);
        Assert.Equal(1, info.Code);
        Assert.Contains("is damaged at position 0", info.Errors, StringComparison.Ordinal);
        Assert.Equal([_folder.PathOf("orders")], served.Select(static target => target.Target.Path));
        Assert.Contains("is damaged at position 0", Assert.Single(watched.Queues).Failure, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_of_another_program_with_files_of_the_names_of_a_queue_is_not_listed()
    {
        Directory.CreateDirectory(_folder.PathOf("licenses/leases"));
        File.WriteAllText(_folder.PathOf("licenses/leases/office.txt"), "until May");
        File.WriteAllText(_folder.PathOf("licenses/control"), "office");

        var list = await ToolRun.InProcessAsync("ls", _folder.Path, "--json");

        Assert.Equal((0, ""), (list.Code, list.Output));
    }

    [Fact]
    public async Task A_damaged_queue_in_shared_memory_is_listed_and_found_by_its_name()
    {
        var name = $"tool-test-{Guid.NewGuid():n}";
        var path = MessageQueue.GetSharedPath(name);
        MessageQueue.OpenShared(name, new MessageQueueOptions { SegmentBytes = 65536 }).Dispose();
        try
        {
            Spoil(path, isEmpty: false);

            var info = await ToolRun.InProcessAsync("info", name);

            Assert.Equal(1, info.Code);
            Assert.Contains(path, TargetListing.Shared().Select(static target => target.Path));
        }
        finally
        {
            Directory.Delete(path, recursive: true);
        }
    }

    [Fact]
    public async Task A_pipe_in_the_place_of_a_control_file_is_not_waited_for()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);
        Assert.Empty(await Shell.RunAsync(_folder.Path, "mkdir pipe link && mkfifo pipe/control && ln -s ../pipe/control link/control"));

        var list = await ToolRun.AsProcessAsync(_folder.Path, "ls", ".", "--json");

        Assert.Equal((0, 1, ""), (list.Code, list.Lines.Length, list.Errors));
    }

    [Fact]
    public async Task A_link_to_a_pipe_is_not_waited_for_and_one_to_a_message_is_followed()
    {
        File.WriteAllBytes(_folder.PathOf("one.message"), [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        Assert.Empty(await Shell.RunAsync(_folder.Path, "mkfifo pipe && ln -s pipe link && ln -s one.message two.message"));

        var list = await ToolRun.AsProcessAsync(_folder.Path, "ls", ".", "--json");

        Assert.Equal((0, 2, ""), (list.Code, list.Lines.Length, list.Errors));
        Assert.All(list.Lines, static line => Assert.Contains("\"bytes\":16", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_schema_may_come_from_a_pipe()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);

        var output = await Shell.RunAsync(_folder.Path, "bufferedmessages schema ./orders | tail -n +2 | bufferedmessages schema diff ./orders /dev/stdin");

        Assert.EndsWith("Compatible: programs of both can share a queue.\n", output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_link_to_a_queue_is_served_if_it_is_given_itself()
    {
        QueueOfOrders.Create(_folder.PathOf("elsewhere/orders"), 1);
        Directory.CreateSymbolicLink(_folder.PathOf("link"), _folder.PathOf("elsewhere/orders"));

        var served = ServedFolders.Of([_folder.PathOf("link")]).List(CancellationToken.None);

        Assert.Equal([_folder.PathOf("link")], served.Select(static target => target.Target.Path));
    }

    [Fact]
    public void The_given_folder_must_be_there() =>
        Assert.Throws<DirectoryNotFoundException>(() => TargetListing.In(_folder.PathOf("nowhere"), isRecursive: true, CancellationToken.None).ToList());

    private static void Spoil(string queue, bool isEmpty)
    {
        var control = Path.Combine(queue, "control");
        File.WriteAllBytes(control, isEmpty ? [] : new byte[new FileInfo(control).Length]);
    }
}
