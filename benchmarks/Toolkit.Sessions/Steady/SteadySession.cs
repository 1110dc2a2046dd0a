using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>
/// What users get when everything is warm. The ways of a case, their floors and their peers take turns, round by round; a figure is the median of the
/// rounds, and a ratio the median of the rounds' ratios.
/// </summary>
internal static class SteadySession
{
    public const string Name = "steady";

    /// <summary>Shorter than elsewhere: many ways take turns.</summary>
    public static SessionOptions Defaults { get; } = new() { RoundTime = TimeSpan.FromSeconds(0.3), Warmup = TimeSpan.FromSeconds(1) };

    public static int Run(SessionOptions options, string[] arguments)
    {
        if (options.Cases.FirstOrDefault(name => SteadyCases.All.All(@case => @case.Name != name)) is { } unknown)
        {
            Console.Error.WriteLine($"'{unknown}' is not a case. There are {string.Join(", ", SteadyCases.All.Select(@case => @case.Name))}.");
            return RunnerCommand.Mistake;
        }

        if (options.Shapes.FirstOrDefault(static name => !SteadyCases.ShapeNames.Contains(name)) is { } shape)
        {
            Console.Error.WriteLine($"'{shape}' is not a shape. There are {string.Join(", ", SteadyCases.ShapeNames)}.");
            return RunnerCommand.Mistake;
        }

        var isGroupOnly = options.Shapes.Count > 0 && options.Shapes.All(static name => name == SteadyCases.Group);
        if (isGroupOnly && options.Cases.FirstOrDefault(static name => SteadyCases.All.Any(@case => @case.Name == name && !@case.HasGroup)) is { } without)
        {
            Console.Error.WriteLine($"The case '{without}' has no shape '{SteadyCases.Group}'. Leave one of them out.");
            return RunnerCommand.Mistake;
        }

        var results = new List<SteadyResult>();
        foreach (var (name, _, make) in SteadyCases.All.Where(@case => options.Cases.Count == 0 ? @case.HasGroup || !isGroupOnly : options.Cases.Contains(@case.Name)))
        {
            var part = RunCase(name, make, options);
            SteadyReport.Show(name, part);
            results.AddRange(part);
        }

        if (options.JsonFile is not null)
        {
            SteadyReport.Write(options.JsonFile, "dotnet run -c Release --project benchmarks/Toolkit.Sessions -- " + string.Join(' ', arguments), options, results);
        }

        return 0;
    }

    private static List<SteadyResult> RunCase(string name, Func<SessionOptions, IReadOnlyList<Contender>> make, SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var memory = SharedMemory.Create(directory.Path, options.RingBytes);
        var contenders = make(options);
        try
        {
            foreach (var contender in contenders)
            {
                contender.Warm();
                Report.Progress($"{name}: {contender.Name} is warm");
            }

            for (var round = 1; round <= options.Rounds; round++)
            {
                foreach (var contender in contenders)
                {
                    contender.Run();
                }

                Report.Progress($"{name}: round {round} of {options.Rounds}");
            }

            return [.. contenders.Select(contender => contender.Sum(name))];
        }
        finally
        {
            foreach (var contender in contenders)
            {
                contender.Dispose();
            }
        }
    }
}
