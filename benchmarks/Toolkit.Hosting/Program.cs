using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;
using BufferedMessages.HostingBenchmarks;

const string Usage = """
    Measures handlers of a host beside a loop over ReadAll, in turns, one process: orders and values of 8 bytes, from queues that are full of them.

      --messages N      messages of a round; 1,000,000 by default
      --rounds N        7 by default; the medians are taken
      --json FILE       writes the figures

    Or: requests        measures requests to another process: round trips one by one and many at a time, bytes that they allocate, and the time from kill -9 of the responder to the failure of a request
    """;

switch (args.FirstOrDefault())
{
    case "requests" when args.Length == 1:
        await RequestMeasurement.RunAsync(Console.Out);
        return 0;
    case RequestMeasurement.ResponderPart when args.Length == 2:
        await RequestMeasurement.RespondAsync(args[1]);
        return 0;
    default:
        break;
}

var (messages, rounds, json) = (1_000_000L, 7, (string?)null);
for (var i = 0; i < args.Length; i += 2)
{
    var value = i + 1 < args.Length ? args[i + 1] : "";
    switch (args[i])
    {
        case "--messages" when long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out messages) && messages > 1:
        case "--rounds" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out rounds) && rounds > 0:
            break;
        case "--json" when value.Length != 0:
            json = value;
            break;
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}

// In memory, where that is a file system: a disk would write the queues back during the rounds.
var directory = Directory.CreateDirectory(Path.Combine(Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), $"toolkit-hosting-{Environment.ProcessId}"));
IReadOnlyList<HostingFigure> figures;
try
{
    figures = await new HostingMeasurement(directory.FullName, messages, rounds, Console.Out).RunAsync();
}
finally
{
    directory.Delete(recursive: true);
}

if (json is not null)
{
    var run = new
    {
        Command = "dotnet run -c Release --project benchmarks/Toolkit.Hosting -- " + string.Join(' ', args),
        Commit = Commit(),
        Machine = $"{Processor()}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}",
        Results = figures,
    };
    File.WriteAllText(json, JsonSerializer.Serialize(run, new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true }) + "\n");
}

return 0;

static string Commit()
{
    using var git = Process.Start(new ProcessStartInfo("git", "rev-parse --short HEAD") { RedirectStandardOutput = true, UseShellExecute = false });
    var output = git?.StandardOutput.ReadToEnd().Trim();
    git?.WaitForExit();
    return string.IsNullOrEmpty(output) ? "unknown" : output;
}

static string Processor() =>
    OperatingSystem.IsLinux() && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } name
        ? name[(name.IndexOf(':', StringComparison.Ordinal) + 2)..]
        : RuntimeInformation.OSArchitecture.ToString();
