namespace BufferedMessages.Samples.Tests.Running;

/// <summary>What a sample left behind.</summary>
internal sealed record SampleResult(int ExitCode, string Output, string Errors)
{
    public string[] Lines { get; } = Output.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');

    public string LastLine => Lines[^1];

    /// <summary>Requires a run that ended well, and shows what it printed if it did not.</summary>
    public SampleResult Succeeded()
    {
        Assert.True(ExitCode == 0, $"exit code {ExitCode}\n{Output}\n{Errors}");
        return this;
    }
}
