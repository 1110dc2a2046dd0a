namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The tool as users get it, installed from the feed once for all tests.</summary>
internal static class InstalledTool
{
    private static readonly Lazy<Task<string>> Installed = new(InstallAsync);

    /// <summary>Installs at the first call.</summary>
    /// <returns>The path of the program.</returns>
    public static Task<string> GetProgramAsync() => Installed.Value;

    private static async Task<string> InstallAsync()
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "tool");
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        using var consumer = new PackageConsumer();
        await consumer.WriteFeedAsync();
        (await consumer.DotnetAsync("tool", "install", "BufferedMessages.Tool", "--tool-path", folder)).Succeeded();
        return Path.Combine(folder, OperatingSystem.IsWindows() ? "bufferedmessages.exe" : "bufferedmessages");
    }
}
