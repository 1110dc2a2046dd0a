using System.Text.RegularExpressions;
using Microsoft.Playwright;

namespace BufferedMessages.Tool.Tests;

/// <summary>
/// The images of docs/tool.md. Each has a text beside it, which the page still shows: an image that is older than the page fails. BUFFEREDMESSAGES_UPDATE_DOCUMENTS=1 makes images and texts anew.
/// </summary>
public partial class ServeImagesTests(Browser browser) : IClassFixture<Browser>
{
    private const string Folder = "docs/images";
    private const int MaxImageBytes = 150_000;

    // So that the plots have something to show.
    private static readonly TimeSpan PlotTime = TimeSpan.FromSeconds(150);

    private static readonly bool IsUpdate = Environment.GetEnvironmentVariable("BUFFEREDMESSAGES_UPDATE_DOCUMENTS") is "1";

    [BrowserFact]
    public async Task Each_image_is_of_the_page_as_it_is()
    {
        await using var demo = new DemoFolder();
        await using var served = await ServedPage.StartAsync(demo.Path);
        using var events = await served.EventsAsync("");
        await events.NextAsync("sample");
        await Task.Delay(IsUpdate ? PlotTime : TimeSpan.Zero);
        (string Name, string Address)[] views =
        [
            ("serve-queues", "#/"),
            ("serve-queue", $"#/queue?path={Uri.EscapeDataString(demo.Orders)}"),
            ("serve-cache", $"#/cache?path={Uri.EscapeDataString(demo.Pages)}"),
        ];

        foreach (var (name, address) in views)
        {
            foreach (var isDark in new[] { false, true })
            {
                await using var tab = await browser.OpenAsync(new Uri(served.Address, address), isDark, width: 1100, height: name is "serve-queue" ? 1240 : 560);
                await PrepareAsync(tab, name);
                if (IsUpdate)
                {
                    await WriteAsync(tab, demo.Path, $"{name}-{(isDark ? "dark" : "light")}.png");
                    File.WriteAllText(Repository.PathOf($"{Folder}/{name}.txt"), await TextAsync(tab, demo.Path));
                }

                Assert.Equal(Repository.Read($"{Folder}/{name}.txt"), await TextAsync(tab, demo.Path));
            }
        }
    }

    [Fact]
    public void Images_are_small_and_each_is_on_the_page()
    {
        var page = Repository.Read("docs/tool.md");
        var images = Directory.GetFiles(Repository.PathOf(Folder), "serve-*.png");

        Assert.Equal(6, images.Length);
        Assert.All(images, image =>
        {
            Assert.InRange(new FileInfo(image).Length, 1, MaxImageBytes);
            Assert.Contains($"images/{Path.GetFileName(image)}", page, StringComparison.Ordinal);
        });
    }

    private static async Task PrepareAsync(Tab tab, string name)
    {
        switch (name)
        {
            case "serve-queues":
                await tab.SeeAsync("main", "chart");
                break;
            case "serve-queue":
                await tab.SeeAsync("#names", "billing");
                await tab.SeeAsync("#schema", "Shop.Order");
                await tab.SeeAsync("#dead", "shipping");
                await tab.Page.Locator("#messages .row").Nth(1).ClickAsync();
                await tab.SeeAsync("#messages", "Lamp");
                await tab.Page.EvaluateAsync("document.activeElement.blur()");
                await Assertions.Expect(tab.Page.Locator("#tile-rate .value")).Not.ToHaveTextAsync("–");
                break;
            default:
                await tab.SeeAsync("main", "order/41");
                break;
        }

        await tab.SeeAsync("#state", "live");
    }

    // Paths of this run become those of the documents.
    private static async Task WriteAsync(Tab tab, string folder, string name)
    {
        await tab.Page.EvaluateAsync(
            """
            ([from, to]) => {
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                walker.currentNode.data = walker.currentNode.data.replaceAll(from, to);
              }
            }
            """,
            new[] { folder, "/var/lib/shop" });
        Directory.CreateDirectory(Repository.PathOf(Folder));
        await tab.Page.ScreenshotAsync(new PageScreenshotOptions { Path = Repository.PathOf($"{Folder}/{name}") });
    }

    // Numbers differ in each run, and so do their units.
    private static async Task<string> TextAsync(Tab tab, string folder)
    {
        var text = await tab.Page.Locator("body").InnerTextAsync();
        text = Id().Replace(text.Replace(folder, "/var/lib/shop", StringComparison.Ordinal), "#");
        text = Number().Replace(text, "#").Replace("# segments", "# segment", StringComparison.Ordinal);
        return Blanks().Replace(text, "\n").Trim() + "\n";
    }

    [GeneratedRegex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Id();

    [GeneratedRegex(@"\d[\d,.:]*( ?(B|KB|MB|GB|us|ms|s|min|h|d)\b)?", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Number();

    [GeneratedRegex(@"[ \t]*\n\s*", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Blanks();
}
