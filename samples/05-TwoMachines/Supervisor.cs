namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The process that starts both machines, and starts one again that was killed.</summary>
internal static class Supervisor
{
    public static async Task<int> RunAsync(TwoMachinesOptions options)
    {
        await using (var stream = Broker.OpenStream(options))
        {
            try
            {
                await Broker.RequireAsync(stream);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException)
            {
                await Console.Error.WriteLineAsync(exception.Message + Environment.NewLine + TwoMachinesOptions.NoBroker);
                return SampleCommand.Mistake;
            }
        }

        Console.WriteLine($"The folders of the two machines are in {options.Machines}. To begin anew, delete it.");
        using var failed = new CancellationTokenSource();
        var machines = new[] { KeepRunningAsync(options, MachineA.Role, failed.Token), KeepRunningAsync(options, MachineB.Role, failed.Token) };

        // Machine b would wait for a machine a that failed for ever, and no process would count what machine a forwards without machine b.
        if (await await Task.WhenAny(machines) != 0)
        {
            await failed.CancelAsync();
        }

        return (await Task.WhenAll(machines)).Max();
    }

    // An exit code of a signal is 128 and more: the machine was killed, and starts again.
    private static async Task<int> KeepRunningAsync(TwoMachinesOptions options, string role, CancellationToken otherFailed)
    {
        while (!otherFailed.IsCancellationRequested)
        {
            using var machine = SecondProcess.Start(options.ArgumentsOf(role));
            var exit = machine.WaitAsync();
            if (await Task.WhenAny(exit, Task.Delay(Timeout.Infinite, otherFailed)) != exit)
            {
                break;
            }

            var code = await exit;
            if (code is >= 0 and < 128)
            {
                return code;
            }

            await Console.Error.WriteLineAsync($"{role[2..]} was killed, and starts again.");
        }

        return 0;
    }
}
