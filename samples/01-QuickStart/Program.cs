using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.QuickStart;

try
{
    if (args is [QuickStartOptions.ReaderRole, var queueDirectory, ..])
    {
        return ReaderProcess.Run(queueDirectory, plain: args.Contains(QuickStartOptions.PlainSwitch));
    }

    return await QuickStartOptions.RunAsync(args, static async options =>
    {
        using var walker = new WalkerProcess(options);
        return await walker.RunAsync();
    });
}
catch (Exception exception) when (exception is ArgumentException or QueueInUseException or QueueCorruptedException or SchemaMismatchException or NotSupportedException or DiskFullException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return SampleCommand.Mistake;
}
