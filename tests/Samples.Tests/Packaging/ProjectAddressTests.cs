using System.Reflection;
using System.Runtime.Loader;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>A generator that was built with an address of the project. The packages are in <see cref="PackageContentTests"/>.</summary>
public sealed class ProjectAddressTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task The_links_of_all_rules_and_of_the_symbols_follow_the_address_of_the_project()
    {
        // The build of the solution has run the analyzers.
        using (var build = SampleProcess.StartDotnet("build", "src/Generator", "-p:RunAnalyzers=false", $"-p:ProjectAddress={PackageFeed.Address}", $"-p:ArtifactsPath={_directory.Path}", "-p:UseArtifactsOutput=true"))
        {
            (await build.WaitAsync(PackageConsumer.Limit)).Succeeded();
        }

        var context = new AssemblyLoadContext(nameof(ProjectAddressTests), isCollectible: true);
        var assembly = context.LoadFromStream(new MemoryStream(await File.ReadAllBytesAsync(FindFile("BufferedMessages.Generator.dll"))));
        var rules = assembly.GetType("BufferedMessages.Generator.Parsing.Rules", throwOnError: true)!
            .GetFields(BindingFlags.Static | BindingFlags.Public)
            .Select(static field => field.GetValue(null))
            .OfType<DiagnosticDescriptor>()
            .ToList();
        Assert.NotEmpty(rules);
        Assert.All(rules, static rule => Assert.Equal($"{PackageFeed.Address}/blob/main/docs/diagnostics/{rule.Id}.md", rule.HelpLinkUri));
        using var sources = JsonDocument.Parse(await File.ReadAllTextAsync(FindFile("*.sourcelink.json")));
        Assert.StartsWith($"{PackageFeed.Address}/raw/", sources.RootElement.GetProperty("documents").EnumerateObject().First().Value.GetString(), StringComparison.Ordinal);
        context.Unload();
    }

    private string FindFile(string name) => Directory.EnumerateFiles(_directory.Path, name, SearchOption.AllDirectories).First();
}
