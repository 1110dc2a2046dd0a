using BufferedMessages.Hosting.Torture;

return args switch
{
    [WorkerPart.Name, ..] => await WorkerPart.RunAsync(args),
    _ => await TortureCommand.RunAsync(args, Console.Out),
};
