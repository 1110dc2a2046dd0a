using System.IO.Compression;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The tool as users get it: packed, installed from a folder and run.</summary>
public sealed class ToolPackageTests : IDisposable
{
    private const string Tool = "src/Tool/BufferedMessages.Tool.csproj";

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task The_package_has_the_assemblies_it_needs_and_a_page_of_its_own()
    {
        using var package = ZipFile.OpenRead(await _consumer.PackAsync(Tool));

        var names = package.Entries.Select(static entry => entry.FullName).ToList();
        Assert.Contains("tools/net10.0/any/BufferedMessages.Tool.dll", names);
        Assert.Contains("tools/net10.0/any/BufferedMessages.Hosting.dll", names);
        Assert.DoesNotContain(names, static name => name.EndsWith("Generator.dll", StringComparison.Ordinal));
        using var page = new StreamReader(package.GetEntry("README.md")!.Open());
        Assert.Contains("dotnet tool install", await page.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_tool_is_installed_from_a_folder_and_runs()
    {
        await _consumer.PackAsync(Tool);
        var program = await _consumer.InstallToolAsync("BufferedMessages.Tool", "bufferedmessages");

        var help = await SampleProcess.RunProgramAsync(program, "--help");
        var list = await SampleProcess.RunProgramAsync(program, "ls", Repository.PathOf("tests/Corpus/1/queues"));

        Assert.Contains("bufferedmessages [command]", help.Succeeded().Output, StringComparison.Ordinal);
        Assert.Contains("queue", list.Succeeded().Output, StringComparison.Ordinal);
    }
}
