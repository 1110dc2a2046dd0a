using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The templates as users get them, installed from their package once for a class.</summary>
public sealed class InstalledTemplates : IAsyncLifetime, IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public async Task InitializeAsync()
    {
        var package = Path.Combine(await PackageFeed.GetFolderAsync(), $"BufferedMessages.Templates.{PackageFeed.Version}.nupkg");
        using var install = SampleProcess.StartDotnetIn(_directory.Path, ["new", "install", package, .. Hive()]);
        (await install.WaitAsync(PackageConsumer.Limit)).Succeeded();
    }

    public Task DisposeAsync() => Task.CompletedTask;

    public void Dispose() => _directory.Dispose();

    /// <summary>The option of the commands that use the templates.</summary>
    internal string[] Hive() => ["--debug:custom-hive", _directory.PathOf("hive")];
}
