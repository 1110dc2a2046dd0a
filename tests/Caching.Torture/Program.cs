using BufferedMessages.Caching.Torture;

return args switch
{
    [WriterPart.Name, var directory, var seed, var plant] => WriterPart.Run(directory, seed, plant),
    [ReaderPart.Name, var directory, var seed] => ReaderPart.Run(directory, seed),
    _ => await TortureCommand.RunAsync(args, Console.Out),
};
