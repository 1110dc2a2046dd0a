using Microsoft.Playwright;

namespace BufferedMessages.Tool.Tests;

/// <summary>The browser of a test class.</summary>
public sealed class Browser : IAsyncLifetime
{
    // Milliseconds.
    private const float Patience = 60_000;

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async Task InitializeAsync()
    {
        if (BrowserFactAttribute.Program is { } program)
        {
            Assertions.SetDefaultExpectTimeout(Patience);
            _playwright = await Playwright.CreateAsync();
            _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions { ExecutablePath = program, Args = ["--no-sandbox"] });
        }
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.CloseAsync();
        }

        _playwright?.Dispose();
    }

    /// <summary>Opens a tab.</summary>
    internal async Task<Tab> OpenAsync(Uri address, bool isDark = false, int width = 1200, int height = 800)
    {
        var context = await _browser!.NewContextAsync(new BrowserNewContextOptions
        {
            ViewportSize = new ViewportSize { Width = width, Height = height },
            ColorScheme = isDark ? ColorScheme.Dark : ColorScheme.Light,
            ReducedMotion = ReducedMotion.Reduce,
        });
        var tab = new Tab(await context.NewPageAsync());
        await tab.Page.GotoAsync(address.AbsoluteUri);
        return tab;
    }
}

/// <summary>A tab, and the faults in it.</summary>
internal sealed class Tab : IAsyncDisposable
{
    private readonly List<string> _faults = [];

    public Tab(IPage page)
    {
        Page = page;
        page.Console += (_, message) => Note(message.Type is "error" ? message.Text : null);
        page.PageError += (_, fault) => Note(fault);
        page.Dialog += async (_, dialog) =>
        {
            Note($"dialog: {dialog.Message}");
            await dialog.DismissAsync();
        };
    }

    public IPage Page { get; }

    /// <summary>Gets errors of scripts, refusals of the browser, and dialogs.</summary>
    public IReadOnlyList<string> Faults
    {
        get
        {
            lock (_faults)
            {
                return [.. _faults];
            }
        }
    }

    /// <summary>Waits until an element is there and shows a text.</summary>
    public Task SeeAsync(string selector, string text) => Assertions.Expect(Page.Locator(selector).First).ToContainTextAsync(text);

    /// <summary>Does something again and again until an element is there.</summary>
    public async Task DoUntilAsync(string selector, Action action)
    {
        var deadline = Environment.TickCount64 + 60_000;
        while (await Page.Locator(selector).CountAsync() == 0)
        {
            Assert.True(Environment.TickCount64 < deadline, $"There is no {selector}.");
            action();
            await Task.Delay(50);
        }
    }

    public Task<string> TextAsync(string selector) => Page.Locator(selector).First.InnerTextAsync();

    public async ValueTask DisposeAsync() => await Page.Context.CloseAsync();

    private void Note(string? fault)
    {
        if (fault is not null)
        {
            lock (_faults)
            {
                _faults.Add(fault);
            }
        }
    }
}
