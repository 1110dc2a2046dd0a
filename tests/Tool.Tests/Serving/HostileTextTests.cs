using Microsoft.Playwright;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Texts that others wrote become text on the page, and nothing else.</summary>
public class HostileTextTests(Browser browser) : IClassFixture<Browser>
{
    // No slash, so that it can be the name of a folder; each part would set the flag.
    private const string Image = "\"'><img src=x onerror=window.isHurt=1>";
    private const string Script = "</script><script>window.isHurt=1</script>${window.isHurt=1}<svg onload=window.isHurt=1>javascript:window.isHurt=1";
    private const string Turned = "a\u202Eb\u2066c\u200Bd\u0007e\U000E0041";
    private const string TurnedShown = @"a\u202Eb\u2066c\u200Bd\u0007e\uDB40\uDC41";

    [BrowserFact]
    public async Task Hostile_texts_are_shown_and_do_not_run()
    {
        using var folder = new TemporaryFolder();
        var path = folder.PathOf(Path.Combine(Image, Turned));
        using var queue = MessageQueue.Open(path);
        using (var producer = queue.OpenProducer<Order>())
        {
            producer.Publish(new Order(1, Image, [new OrderLine(Script, 1)]), new MessageProperties { CorrelationId = Script, Headers = { [Image] = Script } });
            producer.Publish(new Order(2, Turned, []));
        }

        queue.OpenConsumer<RawMessage>(Image).Dispose();
        queue.OpenConsumer<RawMessage>(Turned[..7]).Dispose();
        using (var cache = Caching.MessageCache.Open<string>(folder.PathOf("<b>cache</b".Replace("/", "", StringComparison.Ordinal)), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }))
        {
            cache.Set(Script, "x"u8);
        }

        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);

        await tab.SeeAsync("tbody", Image);
        await tab.SeeAsync("tbody", TurnedShown);
        await tab.Page.Locator("tbody a").First.ClickAsync();
        await tab.SeeAsync("#names", Image);
        foreach (var row in await tab.Page.Locator("#messages .row").AllAsync())
        {
            await row.ClickAsync();
        }

        await tab.SeeAsync("#messages", "<script>window.isHurt=1</script>");
        await tab.SeeAsync("#messages li:last-child", TurnedShown[..13]);
        await tab.Page.FillAsync("#place", Image);
        await tab.Page.ClickAsync("#go");
        await tab.SeeAsync("#messages-note", Image);
        await tab.Page.GotoAsync(new Uri(served.Address, $"#/queue?path={Uri.EscapeDataString(Script)}").AbsoluteUri);
        await tab.SeeAsync("main", Script);
        await tab.Page.GetByRole(AriaRole.Link, new PageGetByRoleOptions { Name = "Caches", Exact = true }).ClickAsync();
        await tab.SeeAsync("main", "<b>cache");
        await tab.Page.Locator("tbody a").First.ClickAsync();
        await tab.SeeAsync("main", Script);

        Assert.False(await tab.Page.EvaluateAsync<bool>("'isHurt' in window"));
        Assert.Equal(0, await tab.Page.EvaluateAsync<int>("document.querySelectorAll('main img, main script, main b, body script').length"));
        Assert.DoesNotContain(tab.Faults, static fault => fault.StartsWith("dialog", StringComparison.Ordinal) || fault.Contains("Content Security Policy", StringComparison.Ordinal));
    }

    [BrowserFact]
    public async Task The_browser_would_refuse_a_script_that_came_into_the_page()
    {
        using var folder = new TemporaryFolder();
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);
        await tab.SeeAsync("#state", "live");

        var fault = await tab.Page.EvaluateAsync<string>("() => { try { document.body.innerHTML = '<img src=x onerror=window.isHurt=1>'; return 'none'; } catch (fault) { return fault.name; } }");
        var created = await tab.Page.EvaluateAsync<string>("() => { try { const script = document.createElement('script'); script.text = 'window.isHurt=1'; document.body.append(script); return 'none'; } catch (fault) { return fault.name; } }");
        await tab.Page.EvaluateAsync("() => { const image = document.createElement('img'); image.setAttribute('src', 'https://shop.example/x.png'); document.body.append(image); }");

        Assert.Equal(("TypeError", "TypeError"), (fault, created));
        Assert.False(await tab.Page.EvaluateAsync<bool>("'isHurt' in window"));
        await Assertions.Expect(tab.Page.Locator("body > img")).ToHaveCountAsync(1);
        Assert.Contains(tab.Faults, static found => found.Contains("img-src 'self'", StringComparison.Ordinal));
    }
}
