using System.Diagnostics;
using BufferedMessages.Samples.QuickStart;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.QuickStart;

/// <summary>The first sample is killed or interrupted, and started again until it comes to its end.</summary>
public sealed class QuickStartKillTests(LargeTree tree) : IClassFixture<LargeTree>, IDisposable
{
    // On a busy machine a whole run may take longer than the killing.
    private const int FewestKills = 4;
    private const int MostKills = 40;

    private static readonly TimeSpan KillingTime = TimeSpan.FromSeconds(8);

    private readonly TemporaryDirectory _queues = new();

    public void Dispose() => _queues.Dispose();

    [LinuxFact]
    public async Task After_kills_at_random_moments_every_file_has_arrived_once_and_in_order()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var watch = Stopwatch.StartNew();
        await RunToEndAsync();
        var wholeRun = watch.Elapsed;

        for (var kill = 0; kill < FewestKills || (kill < MostKills && watch.Elapsed < KillingTime); kill++)
        {
            using var sample = Start();
            await Task.Delay(wholeRun * random.NextDouble());
            if (random.Next(2) == 0)
            {
                sample.Kill();
            }
            else
            {
                sample.KillSecondProcess();
            }

            await sample.WaitAsync();
            RequireBeginningOfWalk($"audit {kill}", $"seed {seed}, kill {kill}");
        }

        var result = await RunToEndAsync();

        Assert.Equal(tree.ExpectedLastLine, result.LastLine);
    }

    [LinuxFact]
    public async Task After_an_interrupt_the_walk_goes_on()
    {
        using (var interrupted = Start())
        {
            await interrupted.UntilAsync(() => QueueDirectory() is not null);
            await Shell.RunAsync($"kill -INT {interrupted.Id} || true", _queues.Path);
            var stopped = await interrupted.WaitAsync();
            Assert.True(stopped.ExitCode is 0 or 130, $"exit code {stopped.ExitCode}\n{stopped.Errors}");
        }

        var result = await RunToEndAsync();

        Assert.Equal(tree.ExpectedLastLine, result.LastLine);
    }

    private SampleProcess Start() => SampleProcess.Start("01-QuickStart", tree.Path, "--plain", "--queue", _queues.Path);

    private async Task<SampleResult> RunToEndAsync()
    {
        using var sample = Start();
        return (await sample.WaitAsync()).Succeeded();
    }

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
        while (consumer.TryRead(out var delivery))
        {
            using (delivery)
            {
                var file = delivery.Message;
                Assert.True(file.Number == number + 1, $"{moment}: message {file.Number} follows message {number}");
                Assert.True(file.End.IsNull ? file.Path == tree.Paths[number] : number == tree.Paths.Count, $"{moment}: message {file.Number} is '{file.Path}'");
                number++;
                delivery.Commit();
            }
        }
    }
}
