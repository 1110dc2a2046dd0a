using System.Diagnostics;
using System.Reflection;
using BufferedMessages.Bridges.Torture;
using BufferedMessages.TestKit;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The sample of two machines, as a user runs it.</summary>
[Collection(nameof(TwoMachinesTests))]
public sealed class TwoMachinesTests : IDisposable
{
    private const int Files = 2_000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly BridgeDirectory _directory = new();
    private TestProcess? _sample;

    private static string Sample => Assembly.GetExecutingAssembly().GetCustomAttributes<AssemblyMetadataAttribute>().Single(static metadata => metadata.Key == "TwoMachines").Value!;

    public void Dispose()
    {
        _sample?.Dispose();
        _directory.Dispose();
    }

    [RedisFact]
    public async Task A_walk_is_counted_once_though_both_machines_and_the_broker_are_killed()
    {
        await using var broker = await PrivateRedis.StartAsync();
        var tree = Directory.CreateDirectory(_directory.PathOf("tree")).FullName;
        for (var i = 0; i < Files; i++)
        {
            await File.WriteAllBytesAsync(Path.Combine(tree, $"{i:D4}.{i % 7}"), new byte[i % 3]);
        }

        var sample = Start(tree, "--broker", $"redis://{broker.Endpoint}", "--machines", _directory.PathOf("machines"), "--plain");
        var output = sample.StandardOutput.ReadToEndAsync();
        var errors = sample.StandardError.ReadToEndAsync();
        await KillAsync(sample, "machine-a");
        await KillAsync(sample, "machine-b");
        broker.Kill();
        await broker.StartAgain();
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains($"{Files} files, {Enumerable.Range(0, Files).Sum(static i => i % 3)} bytes, 0 missing, 0 repeated", await output, StringComparison.Ordinal);
        Assert.Contains("machine-a was killed", await errors, StringComparison.Ordinal);
        Assert.Contains("machine-b was killed", await errors, StringComparison.Ordinal);
        Assert.Equal(0, sample.ExitCode);
    }

    [RedisFact]
    public async Task Each_tree_is_counted_by_machines_of_its_own()
    {
        await using var broker = await PrivateRedis.StartAsync();

        Assert.Contains("1 files, 3 bytes, 0 missing, 0 repeated", await CountAsync(broker, await TreeAsync("first", bytes: 3)), StringComparison.Ordinal);
        Assert.Contains("1 files, 5 bytes, 0 missing, 0 repeated", await CountAsync(broker, await TreeAsync("second", bytes: 5)), StringComparison.Ordinal);
    }

    [RedisFact]
    public async Task A_run_starts_over_when_its_machines_are_deleted()
    {
        await using var broker = await PrivateRedis.StartAsync();
        var tree = await TreeAsync("tree", bytes: 3);
        var machines = _directory.PathOf("machines");
        Assert.Contains("1 files, 3 bytes, 0 missing, 0 repeated", await CountAsync(broker, tree, "--machines", machines), StringComparison.Ordinal);

        Directory.Delete(machines, recursive: true);
        await File.WriteAllBytesAsync(Path.Combine(tree, "later"), new byte[5]);

        Assert.Contains("2 files, 8 bytes, 0 missing, 0 repeated", await CountAsync(broker, tree, "--machines", machines), StringComparison.Ordinal);
    }

    [RedisFact]
    public async Task A_folder_that_cannot_be_found_by_its_name_is_left_out()
    {
        await using var broker = await PrivateRedis.StartAsync();
        var tree = await TreeAsync("tree", bytes: 3);
        await ShellAsync("""mkdir "$(printf 'bad\377name')" """, tree);
        try
        {
            Assert.Contains("1 files, 3 bytes, 0 missing, 0 repeated", await CountAsync(broker, tree, "--machines", _directory.PathOf("machines")), StringComparison.Ordinal);
        }
        finally
        {
            await ShellAsync("rmdir bad*", tree);
        }
    }

    [RedisTheory]
    [InlineData("a")]
    [InlineData("b")]
    public async Task A_machine_that_fails_ends_the_other_one(string machine)
    {
        await using var broker = await PrivateRedis.StartAsync();
        var machines = _directory.PathOf("machines");
        Directory.CreateDirectory(Path.Combine(machines, machine));
        await File.WriteAllTextAsync(Path.Combine(machines, machine, "files"), "not a queue");

        var sample = Start(_directory.PathOf("."), "--broker", $"redis://{broker.Endpoint}", "--machines", machines, "--plain");
        var errors = sample.StandardError.ReadToEndAsync();
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains(Path.Combine(machines, machine, "files"), await errors, StringComparison.Ordinal);
        Assert.DoesNotContain("docker compose", await errors, StringComparison.Ordinal);
        Assert.Equal(2, sample.ExitCode);
    }

    [RedisFact]
    public async Task A_queue_of_an_earlier_message_type_is_said_and_its_machine_does_not_start_again()
    {
        await using var broker = await PrivateRedis.StartAsync();
        var machines = _directory.PathOf("machines");
        using (var queue = MessageQueue.Open(Path.Combine(machines, "a", "files")))
        {
            queue.OpenProducer(MessageSchema.Parse("message FileSeen\n0 i32 Number\n")).Dispose();
        }

        var sample = Start(_directory.PathOf("."), "--broker", $"redis://{broker.Endpoint}", "--machines", machines, "--plain");
        var errors = sample.StandardError.ReadToEndAsync();
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains("0 i32 Number", await errors, StringComparison.Ordinal);
        Assert.DoesNotContain("starts again", await errors, StringComparison.Ordinal);
        Assert.Equal(2, sample.ExitCode);
    }

    [RedisFact]
    public async Task A_journal_of_a_later_version_is_said_and_its_machine_does_not_start_again()
    {
        await using var broker = await PrivateRedis.StartAsync();
        var machines = _directory.PathOf("machines");
        var queue = Path.Combine(machines, "b", "files");
        MessageQueue.Open(queue).Dispose();
        await File.WriteAllTextAsync(Path.Combine(machines, "stream"), "walk");
        await File.WriteAllTextAsync(Path.Combine(Directory.CreateDirectory(Path.Combine(queue, "bridges")).FullName, "walk.json"), """{ "version": 2 }""");

        var sample = Start(_directory.PathOf("."), "--broker", $"redis://{broker.Endpoint}", "--machines", machines, "--plain");
        var errors = sample.StandardError.ReadToEndAsync();
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains("A later version of the bridge wrote", await errors, StringComparison.Ordinal);
        Assert.DoesNotContain("starts again", await errors, StringComparison.Ordinal);
        Assert.Equal(2, sample.ExitCode);
    }

    [Fact]
    public async Task Without_a_broker_it_says_how_to_get_one()
    {
        var sample = Start(_directory.PathOf("."), "--broker", "redis://127.0.0.1:1", "--machines", _directory.PathOf("machines"), "--plain");
        var errors = await sample.StandardError.ReadToEndAsync().WaitAsync(Patience);
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains("docker compose", errors, StringComparison.Ordinal);
        Assert.Equal(2, sample.ExitCode);
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("http://localhost:5672")]
    public async Task An_address_that_is_not_of_a_broker_is_a_mistake(string address)
    {
        var sample = Start(_directory.PathOf("."), "--broker", address);
        var errors = await sample.StandardError.ReadToEndAsync().WaitAsync(Patience);
        await sample.WaitForExitAsync().WaitAsync(Patience);

        Assert.Contains(address, errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", errors, StringComparison.Ordinal);
        Assert.Equal(2, sample.ExitCode);
    }

    private static async Task ShellAsync(string command, string directory)
    {
        using var shell = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", command]) { UseShellExecute = false, WorkingDirectory = directory })!;
        await shell.WaitForExitAsync();
        Assert.Equal(0, shell.ExitCode);
    }

    // A tree of one file.
    private async Task<string> TreeAsync(string name, int bytes)
    {
        var tree = Directory.CreateDirectory(_directory.PathOf(name)).FullName;
        await File.WriteAllBytesAsync(Path.Combine(tree, "file"), new byte[bytes]);
        return tree;
    }

    private async Task<string> CountAsync(PrivateRedis broker, string tree, params string[] options)
    {
        var sample = Start([tree, "--broker", $"redis://{broker.Endpoint}", "--plain", .. options]);
        var errors = sample.StandardError.ReadToEndAsync();
        var output = await sample.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await sample.WaitForExitAsync().WaitAsync(Patience);
        Assert.True(sample.ExitCode == 0, await errors);
        return output;
    }

    private TestProcess Start(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [Sample, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,

            // Machines without a folder of their own are made there.
            Environment = { ["TMPDIR"] = _directory.PathOf("") },
        };
        var sample = new TestProcess { StartInfo = start };
        sample.Start();
        return _sample = sample;
    }

    // The machine of this test, by its folder.
    private async Task KillAsync(TestProcess sample, string role)
    {
        var deadline = Environment.TickCount64 + 60_000;
        while (!sample.HasExited)
        {
            foreach (var process in Process.GetProcessesByName("dotnet"))
            {
                var command = CommandOf(process.Id);
                if (command.Contains($"--{role}", StringComparison.Ordinal) && command.Contains(_directory.PathOf("machines"), StringComparison.Ordinal))
                {
                    process.Kill();
                    return;
                }
            }

            Assert.True(Environment.TickCount64 < deadline, $"The {role} did not start.");
            await Task.Delay(20);
        }
    }

    private static string CommandOf(int id)
    {
        try
        {
            return File.ReadAllText($"/proc/{id}/cmdline");
        }
        catch (IOException)
        {
            return "";
        }
    }
}
