using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The tool as users get it: packed, installed from a folder and run.</summary>
public class ToolPackageTests
{
    [Fact]
    public async Task The_package_has_the_assemblies_it_needs()
    {
        using var package = await PackageFeed.OpenAsync("BufferedMessages.Tool");

        var names = package.Entries.Select(static entry => entry.FullName).ToList();
        Assert.Contains("tools/net10.0/any/BufferedMessages.Tool.dll", names);
        Assert.Contains("tools/net10.0/any/BufferedMessages.Hosting.dll", names);
        Assert.DoesNotContain(names, static name => name.EndsWith("Generator.dll", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_tool_is_installed_from_a_folder_and_runs()
    {
        var program = await InstalledTool.GetProgramAsync();

        var help = await SampleProcess.RunProgramAsync(program, "--help");
        var list = await SampleProcess.RunProgramAsync(program, "ls", Repository.PathOf("tests/Corpus/1/queues"));

        Assert.Contains("bufferedmessages [command]", help.Succeeded().Output, StringComparison.Ordinal);
        Assert.Contains("queue", list.Succeeded().Output, StringComparison.Ordinal);
    }
}
