using BufferedMessages.Samples.Service;

return args switch
{
    ["api", .. var rest] => Api.Run(rest),
    ["worker", .. var rest] => Worker.Run(rest),
    ["--help" or "-h"] => Help(Console.Out, 0),
    _ => Help(Console.Error, 2),
};

static int Help(TextWriter output, int exitCode)
{
    output.WriteLine(
        """
        Orders from an API to a worker, through a queue in memory-mapped files.

          dotnet run --project samples/06-Service -- api [--urls http://localhost:5080]
          dotnet run --project samples/06-Service -- worker [--concurrency 2]

          --data DIR        the folder of the queue; the same for both; by default bufferedmessages-service in the folder for temporary files
          --metrics         also print the metrics, every ten seconds
        """);
    return exitCode;
}
