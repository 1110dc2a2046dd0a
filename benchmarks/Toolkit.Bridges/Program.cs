using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;
using BufferedMessages.BridgeBenchmarks;
using BufferedMessages.Bridges.Torture;

const string Usage = """
    Measures bridges through brokers of their own (the servers must be installed), one process: out, in, and in place without a queue.

      --broker NAME     rabbitmq or redis; both by default
      --messages N      messages of a round with runs of 256; 2,000,000 by default. With runs of one message a twentieth
      --rounds N        5 by default; the median is taken
      --json FILE       writes the figures
    """;

var (brokers, messages, rounds, json) = (new[] { "rabbitmq", "redis" }, 2_000_000L, 5, (string?)null);
for (var i = 0; i < args.Length; i += 2)
{
    var value = i + 1 < args.Length ? args[i + 1] : "";
    switch (args[i])
    {
        case "--broker" when value is "rabbitmq" or "redis":
            brokers = [value];
            break;
        case "--messages" when long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out messages):
        case "--rounds" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out rounds):
            break;
        case "--json" when value.Length != 0:
            json = value;
            break;
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}

var figures = new List<BridgeFigure>();
foreach (var name in brokers)
{
    if (!TortureBrokers.IsInstalled(name))
    {
        Console.Error.WriteLine($"The server of {name} is not installed: apt-get install {TortureBrokers.PackageOf(name)}");
        return 2;
    }

    await using var broker = await TortureBrokers.StartAsync(name);
    var measurement = new BridgeMeasurement(broker, name, rounds, Console.Out);
    figures.AddRange(await measurement.RunAsync(256, messages));
    figures.AddRange(await measurement.RunAsync(1, messages / 20));
}

if (json is not null)
{
    var run = new
    {
        Command = "dotnet run -c Release --project benchmarks/Toolkit.Bridges -- " + string.Join(' ', args),
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
