using BufferedMessages.Runtime.Tests.Queues;
using Microsoft.Playwright;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>The page in a browser, of queues that cannot be read, or come later.</summary>
public class ServeFaultTests(Browser browser) : IClassFixture<Browser>
{
    private const int ModeByte = 8;
    private const string Red = "rgb(179, 38, 30)";

    [BrowserFact]
    public async Task A_section_that_cannot_be_read_says_why()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);
        foreach (var section in new[] { "schema", "dead" })
        {
            await tab.Page.RouteAsync(
                $"**/api/queue/{section}*",
                static route => route.FulfillAsync(new RouteFulfillOptions { Status = 422, ContentType = "application/json", Body = """{"error":"The disk failed."}""" }));
        }

        await tab.Page.GotoAsync(AddressOf(served, folder.PathOf("orders")).AbsoluteUri);

        await tab.SeeAsync("#schema", "The disk failed.");
        await tab.SeeAsync("#dead", "The disk failed.");
    }

    [BrowserFact]
    public async Task The_first_schema_of_a_queue_is_shown_when_it_comes()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, queue.Path));
        await tab.SeeAsync("#schema", "there was no producer yet");

        using var producer = queue.OpenProducer<Order>();

        await tab.SeeAsync("#schema", "message Shop.Order");
    }

    [BrowserFact]
    public async Task A_queue_that_is_made_later_is_shown_with_its_messages_and_its_schema()
    {
        using var folder = new TemporaryFolder();
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));
        await tab.SeeAsync("main", "does not exist");

        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        await tab.SeeAsync("#messages", "\"Id\":1");
        await tab.SeeAsync("#schema", "message Shop.Order");
    }

    [BrowserFact]
    public async Task A_queue_that_cannot_be_followed_is_not_said_to_be_gone()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));
        await tab.SeeAsync("#messages", "\"Id\":1");
        QueueDirectory.Damage(folder.PathOf("orders/control"), ModeByte, 9);

        await tab.Page.ClickAsync("#follow");

        await tab.SeeAsync("#alert", "or cannot be read");
    }

    [BrowserFact]
    public async Task A_fault_is_red_and_no_wider_than_the_page()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("damaged"), 1);
        QueueDirectory.Damage(folder.PathOf("damaged/control"), ModeByte, 9);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);

        await tab.SeeAsync("tbody .fault", "the mode 9 is unknown");
        Assert.Equal(0, await tab.Page.EvaluateAsync<int>("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
        Assert.Equal(Red, await ColorAsync(tab, "tbody .fault"));
        await tab.Page.GotoAsync(AddressOf(served, folder.PathOf("orders")).AbsoluteUri);
        await tab.Page.FillAsync("#place", "5");
        await tab.Page.ClickAsync("#go");
        await tab.SeeAsync("#messages-note", "No message begins at position 5");
        Assert.Equal(Red, await ColorAsync(tab, "#messages-note"));
    }

    [BrowserFact]
    public async Task A_screen_reader_does_not_say_how_many_bytes_are_left_out()
    {
        using var folder = new TemporaryFolder();
        await using var busy = new BusyQueue(folder.PathOf("ticks"));
        await using var served = await ServedPage.StartProcessAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, busy.Path));
        await tab.SeeAsync("#producers", "alive");

        await tab.Page.ClickAsync("#follow");

        await tab.SeeAsync("#messages-missed", "came too fast to be shown.");
        Assert.Equal("Following, the newest on top.", await tab.TextAsync("#messages-note[role=status]"));
        Assert.Equal(0, await tab.Page.Locator("#messages-missed[role]").CountAsync());
    }

    [BrowserFact]
    public async Task Messages_that_come_while_a_page_is_hidden_are_shown_when_it_is_seen_again()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));
        await tab.SeeAsync("#messages", "\"Id\":1");
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        using var producer = queue.OpenProducer<Order>();
        await FollowAsync(tab, producer);

        await HideAsync(tab, isHidden: true);
        producer.Publish(new Order(78, "not seen", []));
        await HideAsync(tab, isHidden: false);

        await tab.SeeAsync("#messages li:first-child", "\"Id\":78");
        var isEachOnce = await tab.Page.EvaluateAsync<bool>(
            "() => { const all = [...document.querySelectorAll('#messages li')].map(item => item.dataset.position); return new Set(all).size === all.length; }");
        Assert.True(isEachOnce);
    }

    [BrowserFact]
    public async Task Messages_that_come_while_there_is_no_server_are_shown_by_the_next_one()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await using var served = await ServedPage.StartProcessAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));
        await tab.SeeAsync("#messages", "\"Id\":1");
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        using var producer = queue.OpenProducer<Order>();
        await FollowAsync(tab, producer);

        Assert.Equal(0, await served.InterruptAsync());
        await tab.SeeAsync("#state", "not connected");
        producer.Publish(new Order(78, "not seen", []));
        await using var next = await ServedPage.StartProcessAsync(folder.Path, "--port", $"{served.Address.Port}");

        await tab.SeeAsync("#messages li:first-child", "\"Id\":78");
    }

    // Until the first message is seen: the stream may begin a moment after the button was pressed.
    private static async Task FollowAsync(Tab tab, MessageProducer<Order> producer)
    {
        await tab.Page.ClickAsync("#follow");
        await tab.SeeAsync("#messages-note", "Waiting");
        await tab.DoUntilAsync("#messages li", () => producer.Publish(new Order(77, "seen", [])));
    }

    private static async Task HideAsync(Tab tab, bool isHidden) => await tab.Page.EvaluateAsync(
        "isHidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden }); document.dispatchEvent(new Event('visibilitychange')); }", isHidden);

    private static Uri AddressOf(ServedPage served, string queue) => new(served.Address, $"#/queue?path={Uri.EscapeDataString(queue)}");

    private static Task<string> ColorAsync(Tab tab, string selector) => tab.Page.EvalOnSelectorAsync<string>(selector, "element => getComputedStyle(element).color");
}
