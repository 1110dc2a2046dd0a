namespace BufferedMessages.ColdBenchmarks;

/// <summary>The programs that are measured, and the one that measures them.</summary>
internal static class Commands
{
    private const string Usage = """
        Starts programs that use a queue for the first time, in turns with an empty one.

          --rounds N        15
          --program FILE    measures another build of this program, for example one that was compiled ahead of time
          --json FILE       writes the figures
        """;

    public static int Run(string[] args)
    {
        switch (args)
        {
            case ["publish", var directory]:
                FirstMessage.Publish(directory);
                return 0;
            case ["read", var directory]:
                FirstMessage.Read(directory);
                return 0;
            case ["write-stream", var directory]:
                FirstStream.Write(directory);
                return 0;
            case ["read-stream", var directory]:
                FirstStream.Read(directory);
                return 0;
        }

        if (ColdOptions.Parse(args) is not { } options)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }

        new ColdRun(options).Run("dotnet run -c Release --project benchmarks/Toolkit.Cold -- " + string.Join(' ', args));
        return 0;
    }
}
