using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>A project outside of the repository that gets packages as users do: from a folder, and nothing else.</summary>
internal sealed class PackageConsumer : IDisposable
{
    // Building takes its time when other tests keep the processors busy.
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly TemporaryDirectory _directory = new();

    /// <summary>The folder of the packages.</summary>
    public string Feed => _directory.PathOf("feed");

    private string Folder => _directory.PathOf("consumer");

    public void Dispose() => _directory.Dispose();

    /// <summary>Packs a project that is built into the feed.</summary>
    /// <returns>The path of the package.</returns>
    public async Task<string> PackAsync(string project)
    {
        (await RunPackAsync(project)).Succeeded();
        return Assert.Single(Directory.GetFiles(Feed, Path.GetFileNameWithoutExtension(project) + ".?.*.nupkg"));
    }

    /// <summary>Packs a project that is built and compares it with a baseline of another place.</summary>
    public async Task<SampleResult> PackAgainstAsync(string project, string baseline)
    {
        // It was not there when the package was packed last, so it is compared.
        var copy = _directory.PathOf("baseline.nupkg");
        File.WriteAllBytes(copy, File.ReadAllBytes(Repository.PathOf(baseline)));
        return await RunPackAsync(project, $"-p:PackageValidationBaselinePath={copy}");
    }

    /// <summary>Runs the dotnet command in the consumer's folder.</summary>
    public async Task<SampleResult> DotnetAsync(params string[] arguments)
    {
        using var process = SampleProcess.StartDotnetIn(Folder, arguments);
        return await process.WaitAsync(Limit);
    }

    /// <summary>Writes the project. Packages go to a folder of their own: the user's cache may have the same version of another build.</summary>
    /// <param name="package">The path of the package that it references.</param>
    /// <param name="program">Its code.</param>
    public void Write(string package, string program)
    {
        var name = Path.GetFileNameWithoutExtension(package);
        var version = name[^"0.0.0".Length..];
        WriteSources();
        File.WriteAllText(
            Path.Combine(Folder, "Consumer.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <UseAppHost>false</UseAppHost>
                <RestorePackagesPath>packages</RestorePackagesPath>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="{name[..^(version.Length + 1)]}" Version="{version}" />
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(Folder, "Program.cs"), program);
    }

    /// <summary>Installs a tool from the feed.</summary>
    /// <returns>The path of its program.</returns>
    public async Task<string> InstallToolAsync(string package, string command)
    {
        WriteSources();
        (await DotnetAsync("tool", "install", package, "--add-source", Feed, "--tool-path", "tools")).Succeeded();
        return Path.Combine(Folder, "tools", OperatingSystem.IsWindows() ? command + ".exe" : command);
    }

    private void WriteSources()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(
            Path.Combine(Folder, "nuget.config"),
            """
            <configuration>
              <packageSources>
                <clear />
                <add key="feed" value="../feed" />
              </packageSources>
            </configuration>
            """);
    }

    private async Task<SampleResult> RunPackAsync(string project, params string[] options)
    {
        using var pack = SampleProcess.StartDotnet(
            ["pack", project, "--no-build", "--configuration", Repository.Configuration, "--output", Feed, "--disable-build-servers", .. options]);
        return await pack.WaitAsync(Limit);
    }
}
