using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.TwoMachines;

using var stop = new CancellationTokenSource();
try
{
    if (args is [MachineA.Role or MachineB.Role, ..])
    {
        SecondProcess.OnFirstProcessEnded(stop.Cancel);
        return await TwoMachinesOptions.RunAsync(args[1..], options => args[0] == MachineA.Role ? MachineA.RunAsync(options, stop.Token) : MachineB.RunAsync(options, stop.Token));
    }

    return await TwoMachinesOptions.RunAsync(args, Supervisor.RunAsync);
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    return 0;
}
catch (Exception exception) when (exception is ArgumentException or QueueInUseException or QueueCorruptedException or SchemaMismatchException or NotSupportedException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return SampleCommand.Mistake;
}
