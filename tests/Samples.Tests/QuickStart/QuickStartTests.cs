using System.Security.Cryptography;
using System.Text;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.QuickStart;

public sealed class QuickStartTests : IDisposable
{
    private readonly TemporaryDirectory _tree = new();
    private readonly TemporaryDirectory _queues = new();

    private string QueueDirectory => _queues.PathOf($"quickstart-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(_tree.Path)))[..16]}");

    public void Dispose()
    {
        _tree.Dispose();
        _queues.Dispose();
    }

    [Fact]
    public async Task The_last_line_counts_all_files_and_bytes_and_no_allocation()
    {
        _tree.Write("a.txt", 10);
        _tree.Write("b/c.txt", 20);
        _tree.Write("b/d/.hidden", 0);
        _tree.Write("b/d/no extension", 12);

        var result = await WalkAsync();

        Assert.Equal("4 files, 42 bytes, 0 bytes allocated per message", result.LastLine);
    }

    [Fact]
    public async Task The_largest_extensions_come_first()
    {
        _tree.Write("small.txt", 10);
        _tree.Write("large.bin", 500);
        _tree.Write("other.txt", 20);

        var result = await WalkAsync();

        Assert.StartsWith("Publishing a message for each file in ", result.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith(".bin ", result.Lines[1], StringComparison.Ordinal);
        Assert.Equal([".txt", "2", "files", "30", "bytes"], result.Lines[2].Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public async Task A_tree_without_files_gives_zero()
    {
        Directory.CreateDirectory(_tree.PathOf("empty/empty too"));

        var result = await WalkAsync();

        Assert.Equal("0 files, 0 bytes, 0 bytes allocated per message", result.LastLine);
    }

    [Fact]
    public async Task A_queue_of_an_earlier_message_type_is_said_with_both_lines()
    {
        using (var queue = MessageQueue.Open(QueueDirectory))
        {
            queue.OpenProducer(MessageSchema.Parse("message FileFound\n0 i32 Number\n")).Dispose();
        }

        var result = await SampleProcess.RunAsync("01-QuickStart", _tree.Path, "--queue", _queues.Path, "--plain");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("0 i32 Number", result.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_queue_of_a_later_version_is_said_without_a_stack_trace()
    {
        MessageQueue.Open(QueueDirectory).Dispose();
        var control = Path.Combine(QueueDirectory, "control");
        var bytes = await File.ReadAllBytesAsync(control);
        bytes[4]++;
        await File.WriteAllBytesAsync(control, bytes);

        var result = await SampleProcess.RunAsync("01-QuickStart", _tree.Path, "--queue", _queues.Path, "--plain");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("Update the BufferedMessages package", result.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Links_are_counted_and_not_followed()
    {
        _tree.Write("directory/file.txt", 5);
        Directory.CreateSymbolicLink(_tree.PathOf("directory/loop"), _tree.Path);
        File.CreateSymbolicLink(_tree.PathOf("link.txt"), _tree.PathOf("directory/file.txt"));

        var result = await WalkAsync();

        Assert.Contains("Left out: 2 symbolic links, which are not followed", result.Lines);
        Assert.Equal("1 files, 5 bytes, 0 bytes allocated per message", result.LastLine);
    }

    [Fact]
    public async Task Names_with_any_character_are_fine()
    {
        _tree.Write("größe.täxt", 1);
        _tree.Write("\U0001F4E6.\U0001F4E6", 2);
        _tree.Write("a.extension that is longer than the thirty-one bytes of a row", 4);
        if (!OperatingSystem.IsWindows())
        {
            _tree.Write("new\nline.t\tb", 8);
        }

        var result = await WalkAsync();

        Assert.Equal(OperatingSystem.IsWindows() ? "3 files, 7 bytes, 0 bytes allocated per message" : "4 files, 15 bytes, 0 bytes allocated per message", result.LastLine);
    }

    [LinuxFact]
    public async Task Names_that_are_no_text_are_counted_and_left_out()
    {
        _tree.Write("good.txt", 5);
        await Shell.RunAsync("""touch "$(printf 'bad\377name')" """, _tree.Path);
        try
        {
            var result = await WalkAsync();

            Assert.Contains("Left out: 1 names that are not valid text", result.Lines);
            Assert.Equal("1 files, 5 bytes, 0 bytes allocated per message", result.LastLine);
        }
        finally
        {
            await Shell.RunAsync("rm -f bad*", _tree.Path);
        }
    }

    [LinuxFact]
    public async Task A_directory_that_cannot_be_read_is_counted_and_left_out()
    {
        // A path of more than 4,096 bytes cannot be opened by anybody, the superuser included.
        _tree.Write("good.txt", 5);
        var step = new string('x', 250);
        await Shell.RunAsync($"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do mkdir {step} && cd -P {step} || exit 1; done", _tree.Path);
        try
        {
            var result = await WalkAsync();

            Assert.Contains("Left out: 1 directories that cannot be read", result.Lines);
            Assert.Equal("1 files, 5 bytes, 0 bytes allocated per message", result.LastLine);
        }
        finally
        {
            await Shell.RunAsync($"rm -rf {step}", _tree.Path);
        }
    }

    [Fact]
    public async Task A_queue_within_the_tree_is_not_walked()
    {
        _tree.Write("good.txt", 5);

        using var sample = SampleProcess.Start("01-QuickStart", _tree.Path, "--plain", "--queue", _tree.PathOf("queues"));
        var result = (await sample.WaitAsync()).Succeeded();

        Assert.Equal("1 files, 5 bytes, 0 bytes allocated per message", result.LastLine);
    }

    [Fact]
    public async Task Extensions_that_have_no_row_are_summed_up()
    {
        for (var i = 0; i < 15; i++)
        {
            _tree.Write($"file.x{i}", 100 - i);
        }

        var result = await WalkAsync();

        Assert.Equal(["(others)", "3", "files", "261", "bytes"], result.Lines[13].Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public async Task The_end_says_how_fast_the_queue_was_and_not_only_the_walk()
    {
        for (var i = 0; i < 200; i++)
        {
            _tree.Write($"file{i}.txt", 1);
        }

        var result = await WalkAsync();

        Assert.Matches("^The second process read 201 messages in place, at [1-9][0-9,]* a second while there were any; the walk found [1-9][0-9,]* a second$", result.Lines[^3]);
    }

    [Fact]
    public async Task A_finished_walk_leaves_nothing_behind()
    {
        _tree.Write("a.txt", 10);

        await WalkAsync();

        Assert.Empty(Directory.EnumerateFileSystemEntries(_queues.Path));
    }

    [Theory]
    [InlineData("there is no such directory")]
    [InlineData("--unknown")]
    public async Task A_wrong_command_line_is_explained(string argument)
    {
        var result = await SampleProcess.RunAsync("01-QuickStart", argument);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(argument, result.Errors, StringComparison.Ordinal);
    }

    private async Task<SampleResult> WalkAsync() =>
        (await SampleProcess.RunAsync("01-QuickStart", _tree.Path, "--plain", "--queue", _queues.Path)).Succeeded();
}
