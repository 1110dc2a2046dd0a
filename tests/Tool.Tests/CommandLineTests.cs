using System.Net.Sockets;
using BufferedMessages.CrossProcess;
using Shop;

namespace BufferedMessages.Tool.Tests;

public class CommandLineTests
{
    [Fact]
    public async Task Help_of_the_program_lists_every_command()
    {
        var run = await ToolRun.InProcessAsync("--help");

        Assert.Equal(0, run.Code);
        Assert.All(CommandList.Create(), command => Assert.Contains($"\n  {command.Name}", run.Output, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Help_of_every_command_has_an_example()
    {
        foreach (var path in PathsOf([], CommandList.Create()))
        {
            var run = await ToolRun.InProcessAsync([.. path, "--help"]);

            Assert.Equal(0, run.Code);
            Assert.Contains($"\n  bufferedmessages {string.Join(' ', path)}", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Help_of_every_command_shows_how_it_is_called()
    {
        foreach (var path in PathsOf([], CommandList.Create()))
        {
            var run = await ToolRun.InProcessAsync([.. path, "--help"]);

            // The name of the program is that of the process.
            Assert.Matches($"\nUsage:\n  [^ ]+ {string.Join(' ', path)} ", run.Output);
        }
    }

    [Theory]
    [InlineData("replay", "[default: max]")]
    [InlineData("stat", "1s by default.\n")]
    [InlineData("top", "1s by default.\n")]
    [InlineData("bench", "1s by default.\n")]
    public async Task Help_shows_a_default_in_a_form_that_the_option_takes(string command, string form)
    {
        var run = await ToolRun.InProcessAsync(command, "--help");

        Assert.Contains(form, run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_option_ends_with_2_and_names_it()
    {
        var run = await ToolRun.InProcessAsync("ls", "--recursively");

        Assert.Equal(2, run.Code);
        Assert.Contains("--recursively", run.Errors, StringComparison.Ordinal);
        Assert.Contains("bufferedmessages ls --help", run.Errors, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Theory]
    [InlineData("'60d' is not a time span of up to 24 days.", "stat", "orders", "--interval", "60d")]
    [InlineData("'0s' is not a time span of up to 24 days.", "bench", ".", "--time", "0s")]
    [InlineData("'Sometimes' is not a flush mode. Write None, Interval or EveryMessage.\n", "bench", ".", "--flush", "Sometimes")]
    [InlineData("'1' is not a flush mode. Write None, Interval or EveryMessage.\n", "bench", ".", "--flush", "1")]
    [InlineData("'None,Interval' is not a flush mode. Write None, Interval or EveryMessage.\n", "bench", ".", "--flush", "None,Interval")]
    [InlineData("'ten' is not a count of messages. Write a number from 0 to 2147483647.\n", "tail", "orders", "-n", "ten")]
    [InlineData("'99999999999' is not a count of messages. Write a number from 0 to 2147483647.\n", "tail", "orders", "-n", "99999999999")]
    [InlineData("'1.5' is not a count of messages. Write a number from 0 to 9223372036854775807.\n", "dump", "orders", "--count", "1.5")]
    [InlineData("A message of the bench has 0 to 16777216 bytes, not 'abc'.\n", "bench", ".", "--bytes", "abc")]
    [InlineData("A message of the bench has 0 to 16777216 bytes, not '16777217'.\n", "bench", ".", "--bytes", "16777217")]
    [InlineData("'abc' is not a version. Write a number, 1 being the oldest.\n", "schema", "orders", "--version", "abc")]
    [InlineData("A port is a number from 0 to 65535.\n", "serve", "--port", "http")]
    [InlineData("A port is a number from 0 to 65535.\n", "serve", "--port", "65536")]
    public async Task A_wrong_value_ends_with_2_and_says_which_are_right(string error, params string[] arguments)
    {
        var run = await ToolRun.InProcessAsync(arguments);

        Assert.Equal(2, run.Code);
        Assert.StartsWith(error, run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_answers_as_a_call_does()
    {
        using var folder = new TemporaryFolder();

        var run = await ToolRun.AsProcessAsync(folder.Path, "ls", ".");

        Assert.Equal(0, run.Code);
        Assert.Empty(run.Output);
        Assert.Contains("No queue, cache or message file was found", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_runs_append_to_one_file()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 2);

        await Shell.RunAsync(folder.Path, "{ bufferedmessages tail ./orders --format {Id}; bufferedmessages tail ./orders -n 1 --format {Id}; } > both");

        Assert.Equal("1\n2\n2\n", File.ReadAllText(folder.PathOf("both")));
    }

    [FileTheory(FileTheoryAttribute.FullDevice)]
    [InlineData("dump ./orders")]
    [InlineData("export ./orders - --json")]
    [InlineData("dump --help")]
    [InlineData("tail ./orders -n 1")]
    public async Task An_output_that_is_full_ends_with_2_and_says_so(string command)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 2_000);

        var output = await Shell.RunAsync(folder.Path, $"bufferedmessages {command} > {FileTheoryAttribute.FullDevice}; echo $?");

        Assert.Equal("The output cannot be written: No space left on device\n2\n", output);
    }

    [Theory]
    [InlineData("tail", "-n")]
    [InlineData("dump", "--count")]
    public async Task A_negative_count_is_refused(string command, string option)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);

        var run = await ToolRun.InProcessAsync(command, folder.PathOf("orders"), option, "-1");

        Assert.Equal((2, ""), (run.Code, run.Output));
        Assert.Contains("A count of messages is 0 or more. It is -1.", run.Errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--json", "--hex")]
    [InlineData("--format", "{Nothing}")]
    [InlineData("--from", "3")]
    public async Task A_dump_that_cannot_begin_leaves_no_file_in_the_way_of_the_next_one(params string[] options)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var run = await ToolRun.InProcessAsync(["dump", folder.PathOf("orders"), "--out", folder.PathOf("copy"), .. options]);

        Assert.Equal(2, run.Code);
        Assert.False(File.Exists(folder.PathOf("copy")));
    }

    [Fact]
    public async Task A_message_without_a_schema_is_not_explained_to_programs()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllBytes(folder.PathOf("order.message"), new Shop.Order(1, "rush", []).ToMessageArray());

        var run = await ToolRun.InProcessAsync("explain", folder.PathOf("order.message"), "--json");

        Assert.Equal((2, ""), (run.Code, run.Output));
        Assert.Contains("Give --schema", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bench_that_is_interrupted_leaves_no_queue()
    {
        using var folder = new TemporaryFolder();
        using var bench = ToolRun.Start(folder.Path, "bench", ".", "--time", "1h", "--flush", "EveryMessage");
        var deadline = Environment.TickCount64 + 60_000;
        while (!bench.HasExited && Directory.GetFiles(folder.Path, "*.segment", SearchOption.AllDirectories).Length == 0)
        {
            Assert.True(Environment.TickCount64 < deadline, "The bench has no queue.");
            await Task.Delay(10);
        }

        await Signals.InterruptAsync(bench);

        await bench.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(("Interrupted.\n", 2), (await bench.StandardError.ReadToEndAsync(), bench.ExitCode));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    [SmallDiskFact]
    public async Task A_file_on_a_full_disk_ends_with_2_and_says_so()
    {
        using var folder = new TemporaryFolder();
        using var disk = SmallDisk.TryMount()!;
        disk.FillBut(bytes: 16 * 1024);
        QueueOfOrders.Create(folder.PathOf("orders"), 2_000);

        foreach (var command in new[] { "dump ./orders --out", "dump ./orders --json --out", "export --json ./orders" })
        {
            var output = await Shell.RunAsync(folder.Path, $"bufferedmessages {command} {disk.Path}/copy; echo $?; rm -f {disk.Path}/copy");

            Assert.StartsWith("The output cannot be written: No space left on device", output, StringComparison.Ordinal);
            Assert.EndsWith("\n2\n", output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_system_without_a_network_ends_with_2()
    {
        using var console = ToolConsole.Silent();

        var code = await Failures.GuardAsync(console, static () => throw new SocketException((int)SocketError.AddressFamilyNotSupported), CancellationToken.None);

        Assert.Equal(ExitCode.Unanswered, code);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("dump", "--help")]
    [InlineData("--version")]
    public async Task A_pipe_that_is_closed_ends_a_help(params string[] arguments)
    {
        using var folder = new TemporaryFolder();
        using var process = ToolRun.Start(folder.Path, arguments);

        process.StandardOutput.Close();

        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal((0, ""), (process.ExitCode, await process.StandardError.ReadToEndAsync()));
    }

    [FileTheory("/bin/sh")]
    [InlineData("exec 3>&1; { bufferedmessages nonsense; echo $? >&3; } 2>&1 | true")]
    [InlineData("bufferedmessages nonsense 2>&-; echo $?")]
    [InlineData("bufferedmessages ls . 2>&-; echo $?")]
    [InlineData("bufferedmessages info nothing 2>&-; echo $?")]
    public async Task A_standard_error_that_cannot_be_written_leaves_the_exit_code(string command)
    {
        using var folder = new TemporaryFolder();

        Assert.Equal("2\n", await Shell.RunAsync(folder.Path, command));
    }

    [FileTheory("/bin/sh")]
    [InlineData("import all.bmx ./small")]
    [InlineData("name rm ./orders audit </dev/null")]
    public async Task A_change_that_was_not_made_ends_with_2_also_if_its_remarks_have_no_reader(string command)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("small"), 1, new MessageQueueOptions { SegmentBytes = 64 * 1024 });
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        using (var producer = queue.OpenProducer<Order>())
        {
            producer.Publish(new Order(1, new string('x', 100_000), []));
            queue.OpenConsumer<RawMessage>("audit").Dispose();
        }

        Assert.Equal(0, (await ToolRun.InProcessAsync("export", folder.PathOf("orders"), folder.PathOf("all.bmx"))).Code);

        Assert.Equal("2\n", await Shell.RunAsync(folder.Path, $"exec 3>&1; {{ bufferedmessages {command}; echo $? >&3; }} 2>&1 | true"));
    }

    private static IEnumerable<string[]> PathsOf(string[] above, IEnumerable<System.CommandLine.Command> commands) =>
        commands.SelectMany(command => command.Subcommands.Count == 0 ? [[.. above, command.Name]] : PathsOf([.. above, command.Name], command.Subcommands));
}
