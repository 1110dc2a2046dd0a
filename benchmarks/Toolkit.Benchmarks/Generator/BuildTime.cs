using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using BufferedMessages.Running;

namespace Toolkit.Benchmarks.Generator;

/// <summary>
/// Measures what the generated code of many message types adds to a build: builds one project without the generator, with it, and with
/// its code as ordinary files, in turns, each time after a change to one file.
/// </summary>
internal sealed class BuildTime : IDisposable
{
    // A compiler server is warm after so many types, not so many builds.
    private const int WarmUpTypes = 1000;
    private const int MinWarmUps = 2;
    private const int Builds = 5;

    private static readonly string[] Variants = ["none", "generator", "files"];

    private readonly int _types;
    private readonly DirectoryInfo _project = Directory.CreateTempSubdirectory("buffered-messages-build-");

    private BuildTime(int types) => _types = types;

    /// <summary>Builds with a compiler server that is warm, then without one, and prints the medians.</summary>
    /// <param name="types">How many message types.</param>
    public static void Print(int types)
    {
        using var time = new BuildTime(types);
        time.WriteProject();
        time.Measure("warm compiler server", warmUps: Math.Max(MinWarmUps, WarmUpTypes / types), "-p:UseSharedCompilation=true");
        time.Measure("no compiler server", warmUps: 0, "-p:UseSharedCompilation=false");
    }

    /// <summary>Deletes the project.</summary>
    public void Dispose() => _project.Delete(recursive: true);

    private static string Project() =>
        $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <TargetFramework>net10.0</TargetFramework>
            <Nullable>enable</Nullable>
            <ImplicitUsings>enable</ImplicitUsings>
            <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
            <CompilerGeneratedFilesOutputPath>generated</CompilerGeneratedFilesOutputPath>
          </PropertyGroup>
          <ItemGroup>
            <Compile Include="types/*.cs" />
            <Compile Include="generated/**/*.cs" Condition="'$(Code)' == 'files'" />
            <Reference Include="{typeof(BufferedMessages.BufferedMessage).Assembly.Location}" />
            <Analyzer Include="{GeneratorPath()}" Condition="'$(Code)' == 'generator'" />
          </ItemGroup>
        </Project>
        """;

    private static string GeneratorPath() =>
        typeof(BuildTime).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(static metadata => string.Equals(metadata.Key, nameof(GeneratorPath), StringComparison.Ordinal)).Value!;

    private void WriteProject()
    {
        File.WriteAllText(Path.Combine(_project.FullName, "Shop.csproj"), Project());
        _project.CreateSubdirectory("types");
        for (var i = 0; i < _types; i++)
        {
            File.WriteAllText(TypePath(i), MessageTypes.Source(i));
        }

        Run("restore");
        Build("generator", "-p:EmitCompilerGeneratedFiles=true");
        var generated = new DirectoryInfo(Path.Combine(_project.FullName, "generated")).GetFiles("*.cs", SearchOption.AllDirectories);
        Console.WriteLine($"{_types} types, {generated.Sum(static file => File.ReadLines(file.FullName).Count())} generated lines");
    }

    private void Measure(string name, int warmUps, string option)
    {
        var times = Variants.ToDictionary(static variant => variant, static _ => new List<double>(), StringComparer.Ordinal);
        for (var round = -warmUps; round < Builds; round++)
        {
            foreach (var variant in Variants)
            {
                var time = Build(variant, option).TotalMilliseconds;
                if (round >= 0)
                {
                    times[variant].Add(time);
                }
            }
        }

        var (none, generator, files) = (Median(times["none"]), Median(times["generator"]), Median(times["files"]));
        Console.WriteLine($"{name}: without {none:F0} ms, with the generator +{generator - none:F0} ms, with its code as files +{files - none:F0} ms");
    }

    private TimeSpan Build(string variant, string option)
    {
        File.SetLastWriteTimeUtc(TypePath(_types / 2), DateTime.UtcNow);
        return Run("build", "--no-restore", "-p:Code=" + variant, option);
    }

    private TimeSpan Run(params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo("dotnet", [.. arguments, "--nologo", "-v:q"])
        {
            WorkingDirectory = _project.FullName,
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        RunnerCommand.Stopping.ThrowIfCancellationRequested();
        return process.ExitCode == 0 ? watch.Elapsed : throw new InvalidOperationException(output);
    }

    private string TypePath(int number) => Path.Combine(_project.FullName, "types", string.Create(CultureInfo.InvariantCulture, $"M{number}.cs"));

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);
}
