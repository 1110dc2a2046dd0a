namespace BufferedMessages.Samples.Tests.Running;

public class SampleHelpTests
{
    public static TheoryData<string> Folders => [.. Directory.EnumerateFiles(Repository.PathOf("samples"), "*.csproj", SearchOption.AllDirectories).Select(static path => Path.GetFileName(Path.GetDirectoryName(path))!)];

    [Theory]
    [MemberData(nameof(Folders))]
    public async Task Help_has_an_example(string folder)
    {
        var help = (await SampleProcess.RunAsync(folder, "--help")).Succeeded();
        var briefly = (await SampleProcess.RunAsync(folder, "-h")).Succeeded();

        Assert.Contains($"  dotnet run --project samples/{folder}", help.Output, StringComparison.Ordinal);
        Assert.Equal(help.Output, briefly.Output);
    }

    [Theory]
    [MemberData(nameof(Folders))]
    public async Task An_option_that_does_not_exist_is_named_in_one_line(string folder)
    {
        var result = await SampleProcess.RunAsync(folder, "--no-such-option");

        Assert.Equal(2, result.ExitCode);
        Assert.Empty(result.Output);
        Assert.Contains("--help", Assert.Single(result.Errors.TrimEnd().Split('\n')), StringComparison.Ordinal);
    }
}
