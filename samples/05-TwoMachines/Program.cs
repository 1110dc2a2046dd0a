using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.TwoMachines;

if (args is ["--help" or "-h"])
{
    Console.WriteLine(TwoMachinesOptions.Usage);
    return 0;
}

using var stop = new CancellationTokenSource();
try
{
    if (args is [MachineA.Role or MachineB.Role, ..])
    {
        SecondProcess.OnFirstProcessEnded(stop.Cancel);
        var options = TwoMachinesOptions.Parse(args.AsSpan(1));
        return args[0] == MachineA.Role ? await MachineA.RunAsync(options, stop.Token) : await MachineB.RunAsync(options, stop.Token);
    }

    return await Supervisor.RunAsync(TwoMachinesOptions.Parse(args));
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    return 0;
}
catch (Exception exception) when (exception is ArgumentException or QueueInUseException or QueueCorruptedException or DiskFullException or UnauthorizedAccessException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return 2;
}
catch (Exception exception) when (exception is IOException or OperationCanceledException)
{
    await Console.Error.WriteLineAsync(exception.Message + Environment.NewLine + TwoMachinesOptions.NoBroker);
    return 2;
}
