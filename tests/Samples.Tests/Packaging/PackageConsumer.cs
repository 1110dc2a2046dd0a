using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>A folder outside of the repository whose projects get the packages as users do: from a folder.</summary>
internal sealed class PackageConsumer : IDisposable
{
    // Packages of other owners that this machine has are not copied once more.
    private static readonly string MachinePackages =
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private readonly TemporaryDirectory _directory = new();

    /// <summary>How long a command may take. Building takes its time when other tests keep the processors busy.</summary>
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(5);

    private string Folder => _directory.PathOf("consumer");

    public void Dispose() => _directory.Dispose();

    public string PathOf(string relative) => Path.Combine(Folder, relative);

    /// <summary>Runs the dotnet command in the folder.</summary>
    public async Task<SampleResult> DotnetAsync(params string[] arguments)
    {
        using var process = SampleProcess.StartDotnetIn(Folder, arguments);
        return await process.WaitAsync(Limit);
    }

    /// <summary>Restores and builds projects of the folder, all in one run.</summary>
    public async Task<SampleResult> BuildAsync(params string[] projects)
    {
        Write(
            "All.proj",
            $"""
            <Project DefaultTargets="Build">
              <ItemGroup>
                <Built Include="{string.Join(';', projects)}" />
              </ItemGroup>
              <Target Name="Restore">
                <MSBuild Projects="@(Built)" Targets="Restore" />
              </Target>
              <Target Name="Build">
                <MSBuild Projects="@(Built)" />
              </Target>
            </Project>
            """);
        return await DotnetAsync("build", "All.proj");
    }

    /// <summary>Writes a program in C#.</summary>
    /// <param name="program">Its code.</param>
    /// <param name="packages">The packages that it references.</param>
    public async Task WriteProgramAsync(string program, params string[] packages)
    {
        await WriteFeedAsync();
        Write("Consumer.csproj", ProjectOf("<UseAppHost>false</UseAppHost>", [.. packages.Select(static id => $"""<PackageReference Include="{id}" Version="{PackageFeed.Version}" />""")]));
        Write("Program.cs", program);
    }

    /// <summary>The text of a project file of a program.</summary>
    public static string ProjectOf(string properties, params string[] items) =>
        $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework>
            <ImplicitUsings>enable</ImplicitUsings>
            <Nullable>enable</Nullable>
            {properties}
          </PropertyGroup>
          <ItemGroup>
            {string.Join("\n    ", items)}
          </ItemGroup>
        </Project>
        """;

    public void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(path))!);
        File.WriteAllText(PathOf(path), text);
    }

    /// <summary>Makes the feed a source of all projects in the folder. Packages go to a folder of their own, because the user's may have the same version of another build.</summary>
    public async Task WriteFeedAsync()
    {
        if (File.Exists(PathOf("nuget.config")))
        {
            return;
        }

        Write(
            "nuget.config",
            $"""
            <configuration>
              <config>
                <add key="globalPackagesFolder" value="packages" />
              </config>
              <packageSources>
                <add key="feed" value="{await PackageFeed.GetFolderAsync()}" />
              </packageSources>
              <fallbackPackageFolders>
                <add key="machine" value="{ShareMachinePackages()}" />
              </fallbackPackageFolders>
            </configuration>
            """);
    }

    private string ShareMachinePackages()
    {
        var shared = Directory.CreateDirectory(_directory.PathOf("machine")).FullName;
        if (Directory.Exists(MachinePackages))
        {
            foreach (var package in Directory.EnumerateDirectories(MachinePackages).Where(static path => !Path.GetFileName(path).StartsWith("bufferedmessages", StringComparison.Ordinal)))
            {
                Directory.CreateSymbolicLink(Path.Combine(shared, Path.GetFileName(package)), package);
            }
        }

        return shared;
    }
}
