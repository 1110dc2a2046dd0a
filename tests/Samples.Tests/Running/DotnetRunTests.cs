namespace BufferedMessages.Samples.Tests.Running;

public class DotnetRunTests
{
    [Theory]
    [InlineData("01-QuickStart", "samples/02-AccessLog", "--plain")]
    [InlineData("02-AccessLog", "samples/02-AccessLog/sample.log")]
    [InlineData("03-Inspect")]
    [InlineData("04-Cache", "samples", "--plain", "--lookups", "1000", "--memory", "1", "--cache", "CACHE")]
    [InlineData("05-TwoMachines", "--help")]
    [InlineData("06-Service", "--help")]
    public async Task Each_sample_runs_with_the_command_of_the_readme(string folder, params string[] arguments)
    {
        using var directory = new TemporaryDirectory();
        arguments = [.. arguments.Select(argument => argument == "CACHE" ? directory.PathOf("cache") : argument)];
        using var sample = SampleProcess.StartDotnet(
            ["run", "--no-build", "--configuration", Repository.Configuration, "--project", $"samples/{folder}", "--", .. arguments]);

        (await sample.WaitAsync()).Succeeded();
    }

    [Fact]
    public void Every_sample_is_in_that_test()
    {
        var data = typeof(DotnetRunTests).GetMethod(nameof(Each_sample_runs_with_the_command_of_the_readme))!
            .GetCustomAttributesData()
            .Where(attribute => attribute.AttributeType == typeof(InlineDataAttribute))
            .Select(attribute => (string)((IReadOnlyList<System.Reflection.CustomAttributeTypedArgument>)attribute.ConstructorArguments[0].Value!)[0].Value!);
        var folders = Directory.EnumerateFiles(Repository.PathOf("samples"), "*.csproj", SearchOption.AllDirectories)
            .Select(path => new DirectoryInfo(Path.GetDirectoryName(path)!).Name);

        Assert.Equal(folders.Order(StringComparer.Ordinal), data.Order(StringComparer.Ordinal));
    }
}
