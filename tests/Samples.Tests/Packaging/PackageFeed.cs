using System.IO.Compression;
using System.Reflection;
using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The packages of this build in a folder, packed once for all tests, for a project whose address is <see cref="Address"/>.</summary>
internal static class PackageFeed
{
    public const string Address = "https://example.org";

    private static readonly Lazy<Task<string>> Filled = new(FillAsync);

    /// <summary>All that are packed.</summary>
    public static string[] Ids { get; } =
        ["BufferedMessages", "BufferedMessages.Bridges", "BufferedMessages.Bridges.RabbitMQ", "BufferedMessages.Bridges.Redis", "BufferedMessages.Caching", "BufferedMessages.Caching.AspNetCore", "BufferedMessages.Hosting", "BufferedMessages.Templates", "BufferedMessages.Tool"];

    public static string Version { get; } = typeof(MessageQueue).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    /// <summary>Packs at the first call.</summary>
    /// <returns>The folder.</returns>
    public static Task<string> GetFolderAsync() => Filled.Value;

    public static async Task<ZipArchive> OpenAsync(string id) => ZipFile.OpenRead(Path.Combine(await GetFolderAsync(), $"{id}.{Version}.nupkg"));

    /// <summary>The description of a package that NuGet reads.</summary>
    public static XDocument DescriptionOf(ZipArchive package)
    {
        using var description = package.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        return XDocument.Load(description);
    }

    /// <summary>Packs one project that is built.</summary>
    public static async Task<SampleResult> PackAsync(string project, string folder, params string[] options)
    {
        // Two that pack the same project would write the same files.
        await GetFolderAsync();
        using var pack = SampleProcess.StartDotnet(
            ["pack", project, "--no-build", "--configuration", Repository.Configuration, "--output", folder, .. options]);
        return await pack.WaitAsync(PackageConsumer.Limit);
    }

    private static async Task<string> FillAsync()
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "packages");
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        using var pack = SampleProcess.StartDotnet(
            "msbuild",
            "tests/Samples.Tests/Packaging/Packages.proj",
            "-t:Pack",
            $"-p:Configuration={Repository.Configuration}",
            $"-p:PackageOutputPath={folder}",
            $"-p:ProjectAddress={Address}");
        (await pack.WaitAsync(PackageConsumer.Limit)).Succeeded();
        return folder;
    }
}
