namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The process that starts both machines, and starts one again that was killed.</summary>
internal static class Supervisor
{
    public static async Task<int> RunAsync(TwoMachinesOptions options)
    {
        await Broker.RequireAsync(options);
        using var finished = new CancellationTokenSource();
        var a = KeepRunningAsync(options, MachineA.Role, finished.Token);
        var result = await KeepRunningAsync(options, MachineB.Role, finished.Token);
        await finished.CancelAsync();
        await a;
        return result;
    }

    // An exit code of a signal is 128 and more: the machine was killed, and starts again.
    private static async Task<int> KeepRunningAsync(TwoMachinesOptions options, string role, CancellationToken finished)
    {
        while (true)
        {
            using var machine = SecondProcess.Start(options.ArgumentsOf(role));
            var code = await machine.WaitAsync();
            if (code is >= 0 and < 128 || finished.IsCancellationRequested)
            {
                return code;
            }

            await Console.Error.WriteLineAsync($"{role[2..]} was killed, and starts again.");
        }
    }
}
