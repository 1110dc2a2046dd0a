using System.Diagnostics;
using BufferedMessages.Samples.QuickStart;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.QuickStart;

/// <summary>Either process of the first sample is killed at random moments, and the sample is started again until it comes to its end.</summary>
public sealed class QuickStartKillTests : IDisposable
{
    private const int Directories = 100;
    private const int FilesPerDirectory = 200;
    private const int MostKills = 40;

    private static readonly TimeSpan KillingTime = TimeSpan.FromSeconds(8);

    private readonly TemporaryDirectory _tree = new();
    private readonly TemporaryDirectory _queues = new();
    private readonly List<string> _paths = [];
    private long _bytes;

    public QuickStartKillTests()
    {
        for (var directory = 0; directory < Directories; directory++)
        {
            for (var file = 0; file < FilesPerDirectory; file++)
            {
                // In the order of the walk: a directory's files by name, then its directories by name.
                var path = $"directory-{directory:000}/file-{file:000}.e{file % 37}";
                _tree.Write(path, file);
                _paths.Add(path);
                _bytes += file;
            }
        }
    }

    public void Dispose()
    {
        _tree.Dispose();
        _queues.Dispose();
    }

    [LinuxFact]
    public async Task After_kills_at_random_moments_every_file_has_arrived_once_and_in_order()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var watch = Stopwatch.StartNew();
        for (var kill = 0; kill < MostKills && watch.Elapsed < KillingTime; kill++)
        {
            using (var sample = Start())
            {
                await Task.Delay(random.Next(350));
                if (random.Next(2) == 0)
                {
                    sample.Kill();
                }
                else
                {
                    sample.KillSecondProcess();
                }

                await sample.WaitAsync();
            }

            RequireBeginningOfWalk($"audit {kill}", $"seed {seed}, kill {kill}");
        }

        using var last = Start();
        var result = (await last.WaitAsync()).Succeeded();

        Assert.Equal($"{_paths.Count} files, {_bytes} bytes, 0 bytes allocated per message", result.LastLine);
    }

    [LinuxFact]
    public async Task After_an_interrupt_the_walk_goes_on()
    {
        using (var interrupted = Start())
        {
            while (!File.Exists(Path.Combine(QueueDirectory() ?? "", "totals")) && !interrupted.HasExited)
            {
                await Task.Yield();
            }

            await Shell.RunAsync($"kill -INT {interrupted.Id} || true", _tree.Path);
            Assert.Contains((await interrupted.WaitAsync()).ExitCode, new[] { 0, 130 });
        }

        using var last = Start();
        var result = (await last.WaitAsync()).Succeeded();

        Assert.Equal($"{_paths.Count} files, {_bytes} bytes, 0 bytes allocated per message", result.LastLine);
    }

    private SampleProcess Start() => SampleProcess.Start("01-QuickStart", _tree.Path, "--plain", "--queue", _queues.Path);

    private string? QueueDirectory() => Directory.EnumerateDirectories(_queues.Path, "quickstart-????????????????").SingleOrDefault();

    // What is in the queue are the first files of the walk: none is missing, none is there twice, none is in the wrong place.
    private void RequireBeginningOfWalk(string name, string moment)
    {
        if (QueueDirectory() is not { } directory || !File.Exists(Path.Combine(directory, "control")))
        {
            return;
        }

        using var queue = MessageQueue.Open(directory);
        using var consumer = queue.OpenConsumer<FileFoundBufferedMessage>(name);
        var number = 0;
        while (consumer.TryRead(out var lease))
        {
            using (lease)
            {
                var file = lease.Message;
                Assert.True(file.Number == number + 1, $"{moment}: message {file.Number} follows message {number}");
                Assert.True(file.End.IsNull ? file.Path == _paths[number] : number == _paths.Count, $"{moment}: message {file.Number} is '{file.Path}'");
                number++;
                lease.Commit();
            }
        }
    }
}
