using BufferedMessages;
using BufferedMessages.Samples.QuickStart;

try
{
    if (args is [QuickStartOptions.ReaderRole, var queueDirectory, ..])
    {
        return ReaderProcess.Run(queueDirectory, plain: args.Contains(QuickStartOptions.PlainSwitch));
    }

    using var walker = new WalkerProcess(QuickStartOptions.Parse(args));
    return await walker.RunAsync();
}
catch (Exception exception) when (exception is ArgumentException or QueueInUseException or QueueCorruptedException or DiskFullException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return 2;
}
