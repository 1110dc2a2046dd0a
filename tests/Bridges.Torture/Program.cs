using BufferedMessages.Bridges.Torture;

return args switch
{
    [ProducerPart.Name, var directory] => ProducerPart.Run(directory),
    [BridgePart.Forward or BridgePart.Receive, ..] => await BridgePart.RunAsync(args),
    _ => await TortureCommand.RunAsync(args, Console.Out),
};
