namespace BufferedMessages.Tool.Tests;

/// <summary>A process that serves an empty folder, for all tests of a class.</summary>
public sealed class EmptyFolderPage : IAsyncLifetime
{
    private ServedPage? _page;

    public string Path { get; } = Directory.CreateTempSubdirectory("tool-tests-").FullName;

    internal ServedPage Page => _page!;

    public async Task InitializeAsync() => _page = await ServedPage.StartProcessAsync(Path);

    public async Task DisposeAsync()
    {
        if (_page is not null)
        {
            await _page.DisposeAsync();
        }

        Directory.Delete(Path, recursive: true);
    }
}
