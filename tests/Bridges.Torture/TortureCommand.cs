using System.CommandLine;
using System.Diagnostics;
using BufferedMessages.Running;

namespace BufferedMessages.Bridges.Torture;

/// <summary>The run: it starts the parts and a broker of its own, kills them at random, lets them finish, and compares.</summary>
internal sealed class TortureCommand : IAsyncDisposable
{
    private const int MostCutBytes = 64 * 1024;

    // Each step of a part comes much sooner, unless the machine is busy.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(120);

    // A planted fault may lose the last message, and then nothing comes any more.
    private static readonly TimeSpan CatchUpWithFault = TimeSpan.FromSeconds(20);

    private readonly TortureOptions _options;
    private readonly TextWriter _output;
    private readonly Random _random;
    private readonly ITortureBroker _broker;
    private readonly string _directory = Directory.CreateTempSubdirectory("bm-bridge-torture-").FullName;
    private PartProcess? _producer;
    private PartProcess? _forwarder;
    private PartProcess? _receiver;
    private int _kills;
    private int _restarts;
    private int _cuts;

    private TortureCommand(TortureOptions options, ITortureBroker broker, TextWriter output)
    {
        _options = options;
        _broker = broker;
        _output = output;
        _random = new Random(options.Seed);
    }

    private string Source => Path.Combine(_directory, "source");

    private string Destination => Path.Combine(_directory, "destination");

    /// <summary>Runs the command line.</summary>
    public static Task<int> RunAsync(string[] arguments, TextWriter output)
    {
        var seconds = RunnerCommand.Number("--seconds", "The least time of killing; checking comes after it", 60);
        var broker = RunnerCommand.Choice("--broker", "The broker", "rabbitmq", "rabbitmq", "redis");
        var pause = RunnerCommand.Number("--pause", "The longest pause between two kills, in milliseconds", 400, least: 1);
        var restarts = RunnerCommand.Number("--restarts", "The seconds between two restarts of the broker, half of them by -9; 0 for none", 20);
        var cuts = RunnerCommand.Number("--cuts", "The seconds between two crashes of the source's machine; 0 for none", 30);
        var fault = RunnerCommand.Choice<PlantedFault>("--fault", "A planted fault, which must make the run fail");
        var seed = RunnerCommand.OptionalNumber("--seed", "The seed of the random numbers");
        var command = new RootCommand(
            """
            Kills forwarder, receiver and broker at random while messages pass through a real broker, and compares both queues at the end.
            Ends with: kills K restarts R cuts C messages M lost 0 duplicated 0 disordered 0 corrupt 0
            The exit code is 0 if the four last numbers are.
            """)
        { seconds, broker, pause, restarts, cuts, fault, seed };
        command.SetAction(parsed => RunAsync(
            new TortureOptions
            {
                Seconds = parsed.GetValue(seconds),
                Broker = parsed.GetRequiredValue(broker),
                PauseMilliseconds = parsed.GetValue(pause),
                RestartSeconds = parsed.GetValue(restarts),
                CutSeconds = parsed.GetValue(cuts),
                Fault = parsed.GetValue(fault),
                Seed = parsed.GetValue(seed) ?? (Environment.TickCount & 0xFFFF),
            },
            output));
        return RunnerCommand.RunAsync(command, arguments, "dotnet run -c Release --project tests/Bridges.Torture -- --seconds 60 --broker redis");
    }

    public async ValueTask DisposeAsync()
    {
        _producer?.Dispose();
        _forwarder?.Dispose();
        _receiver?.Dispose();
        await _broker.DisposeAsync();
        Directory.Delete(_directory, recursive: true);
    }

    private static async Task<int> RunAsync(TortureOptions options, TextWriter output)
    {
        if (!TortureBrokers.IsInstalled(options.Broker))
        {
            await output.WriteLineAsync($"The server of {options.Broker} is not installed: apt-get install {TortureBrokers.PackageOf(options.Broker)}");
            return RunnerCommand.Mistake;
        }

        await using var torture = new TortureCommand(options, await TortureBrokers.StartAsync(options.Broker), output);
        return await torture.RunAsync();
    }

    private async Task<int> RunAsync()
    {
        await _output.WriteLineAsync($"seed {_options.Seed} broker {_options.Broker}");
        StartProducer();
        await UntilAsync(() => MessageQueue.Exists(Source));
        StartForwarder();
        StartReceiver();
        var clock = Stopwatch.StartNew();
        var (nextRestart, nextCut, nextLook) = (_options.RestartSeconds, _options.CutSeconds, 1);
        var isFound = false;
        while (!isFound && (clock.Elapsed.TotalSeconds < _options.Seconds || _kills == 0 || IsMissing(_options.RestartSeconds, _restarts) || IsMissing(_options.CutSeconds, _cuts)))
        {
            await Task.Delay(_random.Next(_options.PauseMilliseconds), RunnerCommand.Stopping);
            if (_options.CutSeconds != 0 && clock.Elapsed.TotalSeconds > nextCut)
            {
                await CrashSourceMachineAsync();
                nextCut = (int)clock.Elapsed.TotalSeconds + _options.CutSeconds;
            }
            else if (_options.RestartSeconds != 0 && clock.Elapsed.TotalSeconds > nextRestart)
            {
                await RestartBrokerAsync();
                nextRestart = (int)clock.Elapsed.TotalSeconds + _options.RestartSeconds;
            }
            else
            {
                await KillOneAsync();
            }

            if (clock.Elapsed.TotalSeconds > nextLook)
            {
                isFound = IsFound();
                nextLook = (int)clock.Elapsed.TotalSeconds + 1;
            }
        }

        return await FinishAsync(isFound);
    }

    // On a busy machine the time may be over before the first of them.
    private bool IsMissing(int seconds, int count) => count == 0 && seconds > 0 && seconds < _options.Seconds;

    // A planted fault has had its effect already.
    private bool IsFound()
    {
        if (_options.Fault == PlantedFault.None || !MessageQueue.Exists(Destination))
        {
            return false;
        }

        using var source = MessageQueue.OpenReadOnly(Source);
        using var destination = MessageQueue.OpenReadOnly(Destination);
        return !QueueComparison.SoFar(source, destination).IsGood;
    }

    private static async Task UntilAsync(Func<bool> condition)
    {
        var clock = Stopwatch.StartNew();
        while (!condition() && clock.Elapsed < Patience)
        {
            await Task.Delay(10, RunnerCommand.Stopping);
        }
    }

    // A part that was killed before it had done anything would prove nothing.
    private async Task KillOneAsync()
    {
        _kills++;
        if (_random.Next(2) == 0)
        {
            await UntilMovedAsync(_forwarder!, Source, static statistics => statistics.Consumers.Sum(static consumer => consumer.Position));
            _forwarder!.Kill();
            StartForwarder();
        }
        else
        {
            await UntilMovedAsync(_receiver!, Destination, static statistics => statistics.Producers.Sum(static producer => producer.Messages));
            _receiver!.Kill();
            StartReceiver();
        }
    }

    private static async Task UntilMovedAsync(PartProcess part, string directory, Func<QueueStatistics, long> position)
    {
        await UntilAsync(() => MessageQueue.Exists(directory));
        using var queue = MessageQueue.OpenExisting(directory);
        var before = position(queue.GetStatistics());
        await UntilAsync(() => part.HasExited || position(queue.GetStatistics()) != before);
    }

    private async Task RestartBrokerAsync()
    {
        if (_restarts++ % 2 == 0)
        {
            _broker.Kill();
        }
        else
        {
            await _broker.StopAsync();
        }

        await _broker.StartAgainAsync();
    }

    private async Task CrashSourceMachineAsync()
    {
        _producer!.Kill();
        if (_cuts++ % 2 == 0)
        {
            // Every other crash loses messages that were forwarded already, also where the forwarder is slow.
            using var queue = MessageQueue.OpenExisting(Source);
            await UntilAsync(() => _forwarder!.HasExited || queue.GetStatistics().Consumers is [{ LagBytes: 0 }]);
        }

        _forwarder!.Kill();
        MachineCrash.CutTail(Source, MostCutBytes, _random);
        var next = ProducerPart.NextNumber(Source);
        StartProducer();
        StartForwarder();

        // Until positions of lost messages have others: a burst is published when the numbers of the next one are taken.
        await UntilAsync(() => _producer!.HasExited || ProducerPart.NextNumber(Source) > next + ProducerPart.Burst);
    }

    private async Task<int> FinishAsync(bool isFound)
    {
        _producer!.Stop();
        using var source = MessageQueue.OpenExisting(Source);
        using var destination = MessageQueue.Open(Destination);
        var last = QueueComparison.LastNumber(source);
        var clock = Stopwatch.StartNew();
        var position = -1L;
        var catchUp = _options.Fault == PlantedFault.None ? Patience : CatchUpWithFault;
        using var reader = destination.OpenReader<NumberedMessageBufferedMessage>();
        var arrived = -1L;
        while (!isFound && clock.Elapsed < catchUp && (arrived = QueueComparison.ReadToEnd(reader, arrived)) != last && !_forwarder!.HasExited && !_receiver!.HasExited)
        {
            await Task.Delay(500, RunnerCommand.Stopping);
            if (destination.PublishedPosition != position)
            {
                // The limit begins anew with each message that comes.
                position = destination.PublishedPosition;
                clock.Restart();
            }

            isFound = IsFound();
        }

        _forwarder!.Stop();
        _receiver!.Stop();
        await _output.WriteAsync(_producer.Errors + _forwarder.Errors + _receiver.Errors);

        // What was on its way when the run ended early is not lost.
        var comparison = isFound ? QueueComparison.SoFar(source, destination) : QueueComparison.Of(source, destination);
        await _output.WriteLineAsync(
            $"kills {_kills} restarts {_restarts} cuts {_cuts} messages {comparison.Messages} lost {comparison.Lost} duplicated {comparison.Duplicated} " +
            $"disordered {comparison.Disordered} corrupt {comparison.Corrupt}");
        return comparison.IsGood && comparison.Messages != 0 ? 0 : 1;
    }

    private void StartProducer()
    {
        _producer?.Dispose();
        _producer = PartProcess.Start(ProducerPart.Name, Source);
    }

    private void StartForwarder()
    {
        _forwarder?.Dispose();
        _forwarder = PartProcess.Start(BridgePart.Arguments(BridgePart.Forward, Source, _broker.Address, _random.Next(), PlantedFault.None));
    }

    private void StartReceiver()
    {
        _receiver?.Dispose();
        _receiver = PartProcess.Start(BridgePart.Arguments(BridgePart.Receive, Destination, _broker.Address, _random.Next(), _options.Fault));
    }
}
