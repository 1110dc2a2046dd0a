using BufferedMessages.Caching.Torture;

if (args is [WriterPart.Name or SharerPart.Name or ReaderPart.Name, ..])
{
    TorturePeer.EndWithStarter();
}

return args switch
{
    [WriterPart.Name, var directory, var seed, var plant] => WriterPart.Run(directory, seed, plant),
    [SharerPart.Name, var directory, var seed, var lane, var sharers, var plant] => SharerPart.Run(directory, seed, lane, sharers, plant),
    [ReaderPart.Name, var directory, var seed] => ReaderPart.Run(directory, seed),
    _ => await TortureCommand.RunAsync(args, Console.Out),
};
