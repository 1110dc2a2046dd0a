using Microsoft.Playwright;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>The page in a browser: its views, its keys, its changes, and the end of the server.</summary>
public class ServeBrowserTests(Browser browser) : IClassFixture<Browser>
{
    [BrowserFact]
    public async Task Each_view_shows_what_is_there()
    {
        await using var demo = new DemoFolder();
        await using var served = await ServedPage.StartProcessAsync(demo.Path);
        await using var tab = await browser.OpenAsync(served.Address);

        await tab.SeeAsync("main", "shipping");
        await tab.SeeAsync("#state", "live");
        Assert.Contains("durable, Shop.Order", await tab.TextAsync("main"), StringComparison.Ordinal);
        await tab.Page.GetByRole(AriaRole.Link, new PageGetByRoleOptions { Name = "orders", Exact = true }).ClickAsync();
        await tab.SeeAsync("#names", "billing");
        await tab.SeeAsync("#messages", """{"Id":42,"Note":null,"Lines":[]}""");
        await tab.SeeAsync("#producers", "alive");
        await tab.SeeAsync("#schema", "2 list(message(Shop.OrderLine)) Lines");
        await tab.SeeAsync("#dead", "shipping: 1 message");
        await tab.SeeAsync("#options", "read by every name");
        using (var queue = MessageQueue.OpenReadOnly(demo.Orders))
        {
            await tab.SeeAsync("#tile-position .value", Quantity.Of(queue.PublishedPosition));
        }

        await tab.Page.Locator("#messages .row").Nth(1).ClickAsync();
        await tab.SeeAsync("#messages .json", "\"Article\": \"Lamp\"");
        await tab.SeeAsync("#messages .hex", "03 00 01 00");
        await tab.Page.Locator("#dead summary").ClickAsync();
        await tab.SeeAsync("#dead .row", "timeout of the carrier");
        await tab.Page.GetByRole(AriaRole.Link, new PageGetByRoleOptions { Name = "Caches" }).ClickAsync();
        await tab.Page.GetByRole(AriaRole.Link, new PageGetByRoleOptions { Name = "pages" }).ClickAsync();
        await tab.SeeAsync("main", "order/41");
        await tab.SeeAsync("main", "every checksum is right");
        Assert.Empty(tab.Faults);
    }

    [BrowserFact]
    public async Task Messages_are_paged_and_found_by_position_and_time()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 60);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));

        await tab.SeeAsync("#messages li:last-child", "\"Id\":60");
        await tab.Page.ClickAsync("#older");
        await tab.SeeAsync("#messages li:last-child", "\"Id\":35");
        await tab.Page.ClickAsync("#newer");
        await tab.SeeAsync("#messages li:last-child", "\"Id\":60");
        await Assertions.Expect(tab.Page.Locator("#newer")).ToBeDisabledAsync();
        await tab.Page.ClickAsync("#earliest");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":1,");
        await Assertions.Expect(tab.Page.Locator("#older")).ToBeDisabledAsync();
        await tab.Page.FillAsync("#place", $"{positions[9]}");
        await tab.Page.PressAsync("#place", "Enter");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":10,");
        await tab.Page.FillAsync("#place", "-1h");
        await tab.Page.ClickAsync("#go");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":1,");
        await tab.Page.FillAsync("#place", "5");
        await tab.Page.ClickAsync("#go");
        await tab.SeeAsync("#messages-note", "No message begins at position 5");
    }

    [BrowserFact]
    public async Task New_messages_appear_while_a_queue_is_followed()
    {
        using var folder = new TemporaryFolder();
        await using var served = await ServeThreeOrdersAsync(folder);
        await using var tab = await SeeOrdersAsync(served, folder);

        await tab.Page.ClickAsync("#follow");
        await tab.SeeAsync("#messages-note", "Waiting");
        await tab.SeeAsync("#state", "live");
        await Assertions.Expect(tab.Page.Locator("#messages li")).ToHaveCountAsync(0);
        using (var queue = MessageQueue.OpenExisting(folder.PathOf("orders")))
        using (var producer = queue.OpenProducer<Order>())
        {
            // The stream may begin a moment after the button was pressed.
            await tab.DoUntilAsync("#messages li", () => producer.Publish(new Order(77, "new", [])));
        }

        await tab.SeeAsync("#messages", "{\"Id\":77,\"Note\":\"new\",\"Lines\":[]}");
        await tab.Page.ClickAsync("#follow");
        await tab.SeeAsync("#messages-note", "Stopped");
        Assert.Empty(tab.Faults);
    }

    [BrowserFact]
    public async Task An_answer_that_comes_late_does_not_replace_what_was_asked_for_after_it()
    {
        const string Earliest = "**/api/queue/messages*from=earliest*";
        using var folder = new TemporaryFolder();
        await using var served = await ServeThreeOrdersAsync(folder);
        await using var tab = await SeeOrdersAsync(served, folder);
        var release = new TaskCompletionSource();
        await tab.Page.RouteAsync(Earliest, async route =>
        {
            await release.Task;
            await route.ContinueAsync();
        });
        await tab.Page.FillAsync("#place", "earliest");
        await tab.Page.ClickAsync("#go");
        await tab.Page.ClickAsync("#follow");
        await tab.SeeAsync("#messages-note", "Waiting");

        var late = tab.Page.WaitForResponseAsync(Earliest);
        release.SetResult();
        await (await late).FinishedAsync();

        // The script has seen the answer when it has seen that of another request.
        await tab.Page.EvaluateAsync("() => fetch('/api/start').then(answer => answer.json())");
        await tab.SeeAsync("#messages-note", "Waiting");
        await Assertions.Expect(tab.Page.Locator("#messages li")).ToHaveCountAsync(0);
    }

    [BrowserFact]
    public async Task Everything_is_reached_by_keys()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("a"), 30);
        QueueOfOrders.Create(folder.PathOf("b"), 30);
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);
        var keys = tab.Page.Keyboard;
        await tab.SeeAsync("main", "2 queues");

        await keys.PressAsync("j");
        await keys.PressAsync("ArrowDown");
        Assert.Equal("b", await FocusedAsync(tab));
        Assert.Equal("2px", await tab.Page.EvaluateAsync<string>("getComputedStyle(document.activeElement).outlineWidth"));
        await keys.PressAsync("k");
        await keys.PressAsync("Enter");
        await tab.SeeAsync("#messages li:last-child", "\"Id\":30");
        await keys.PressAsync("e");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":1,");
        await keys.PressAsync("n");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":26,");
        await keys.PressAsync("o");
        await tab.SeeAsync("#messages li:first-child", "\"Id\":1,");
        await keys.PressAsync("j");
        await keys.PressAsync("Enter");
        await tab.SeeAsync("#messages .hex", "03 00 01 00");
        await keys.PressAsync("/");
        Assert.Equal("place", await tab.Page.EvaluateAsync<string>("document.activeElement.id"));
        await keys.PressAsync("Escape");
        await keys.PressAsync("?");
        await tab.SeeAsync("dialog[open]", "next and previous row");
        await keys.PressAsync("Escape");
        await keys.PressAsync("u");
        await tab.SeeAsync("h1", "Queues");
        await keys.PressAsync("/");
        await keys.TypeAsync("b");
        await Assertions.Expect(tab.Page.Locator("tbody:visible")).ToHaveCountAsync(1);

        // With Tab alone: the link to the content, the views, the keys, the filter, and the rows.
        await tab.Page.ReloadAsync();
        await tab.SeeAsync("main", "2 queues");
        var reached = new List<string>();
        await tab.Page.EvaluateAsync("document.activeElement.blur()");
        for (var i = 0; i < 7; i++)
        {
            await keys.PressAsync("Tab");
            reached.Add(await FocusedAsync(tab));
        }

        Assert.Equal(["Skip to the content", "Queues", "Caches", "Keys", "", "a", "b"], reached);
        Assert.Empty(tab.Faults);
    }

    [BrowserFact]
    public async Task Light_and_dark_are_those_of_the_browser()
    {
        await using var demo = new DemoFolder();
        await using var served = await ServedPage.StartAsync(demo.Path);
        await using var light = await browser.OpenAsync(served.Address);
        await using var dark = await browser.OpenAsync(served.Address, isDark: true);

        Assert.Equal("rgb(255, 255, 255)", await BackgroundAsync(light));
        Assert.Equal("rgb(21, 24, 28)", await BackgroundAsync(dark));

        static Task<string> BackgroundAsync(Tab tab) => tab.Page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor");
    }

    [BrowserFact]
    public async Task No_view_is_wider_than_a_phone()
    {
        await using var demo = new DemoFolder();
        await using var served = await ServedPage.StartAsync(demo.Path, "--allow-changes");
        await using var tab = await browser.OpenAsync(served.PrintedAddress, width: 360);
        (string Address, string Text)[] views = [("#/", "shipping"), (QueueRoute(demo.Orders), "\"Id\":42"), ("#/caches", "pages"), ($"#/cache?path={Uri.EscapeDataString(demo.Pages)}", "order/41")];

        foreach (var (address, text) in views)
        {
            await tab.Page.GotoAsync(new Uri(served.Address, address).AbsoluteUri);
            await tab.SeeAsync("main", text);
            if (await tab.Page.Locator("#messages .row").CountAsync() > 0)
            {
                await tab.Page.Locator("#messages .row").First.ClickAsync();
            }

            Assert.Equal(0, await tab.Page.EvaluateAsync<int>("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
        }
    }

    [BrowserFact]
    public async Task A_folder_without_queues_says_so_until_there_is_one()
    {
        using var folder = new TemporaryFolder();
        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);

        await tab.SeeAsync("main", $"No queue was found in {folder.Path}");
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await tab.SeeAsync("tbody", "orders");
        await tab.Page.GotoAsync(new Uri(served.Address, "#/caches").AbsoluteUri);
        await tab.SeeAsync("main", "No cache was found");
    }

    [BrowserFact]
    public async Task A_queue_that_is_deleted_says_so()
    {
        using var folder = new TemporaryFolder();
        await using var served = await ServeThreeOrdersAsync(folder);
        await using var tab = await SeeOrdersAsync(served, folder);

        Assert.True(MessageQueue.Delete(folder.PathOf("orders")));

        await tab.SeeAsync("main", "The queue was deleted");
    }

    [BrowserFact]
    public async Task A_server_that_ends_is_noticed_and_so_is_the_next_one()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var served = await ServedPage.StartProcessAsync(folder.Path);
        await using var tab = await browser.OpenAsync(served.Address);
        await tab.SeeAsync("tbody", "orders");

        Assert.Equal(0, await served.InterruptAsync());
        await tab.SeeAsync("#alert", "The server does not answer");
        await tab.SeeAsync("#state", "not connected");
        await using var next = await ServedPage.StartProcessAsync(folder.Path, "--port", $"{served.Address.Port}");
        await tab.SeeAsync("#state", "live");
        await Assertions.Expect(tab.Page.Locator("#alert")).ToBeHiddenAsync();
    }

    [BrowserFact]
    public async Task Changes_have_no_button_without_the_printed_address()
    {
        await using var demo = new DemoFolder();
        await using var reading = await ServedPage.StartAsync(demo.Path);
        await using var changing = await ServedPage.StartAsync(demo.Path, "--allow-changes");
        foreach (var served in new[] { reading, changing })
        {
            await using var tab = await browser.OpenAsync(AddressOf(served, demo.Orders));
            await tab.SeeAsync("#names", "billing");
            await Assertions.Expect(tab.Page.Locator("#names button")).ToHaveCountAsync(0);
        }
    }

    [BrowserFact]
    public async Task The_printed_address_allows_changes_in_a_tab_that_has_the_page_already()
    {
        await using var demo = new DemoFolder();
        await using var served = await ServedPage.StartAsync(demo.Path, "--allow-changes");
        await using var tab = await browser.OpenAsync(served.Address);
        await tab.SeeAsync("#mode", "open the printed address");

        await tab.Page.GotoAsync(served.PrintedAddress.AbsoluteUri);

        await tab.SeeAsync("#mode", "changes allowed");
        Assert.DoesNotContain(served.Token, tab.Page.Url, StringComparison.Ordinal);
    }

    [BrowserFact]
    public async Task A_name_is_moved_and_deleted_after_a_question()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        queue.OpenConsumer<RawMessage>("shipping").Dispose();
        await using var served = await ServedPage.StartAsync(folder.Path, "--allow-changes");
        await using var tab = await browser.OpenAsync(served.PrintedAddress);
        await tab.SeeAsync("#mode", "changes allowed");
        Assert.DoesNotContain(served.Token, tab.Page.Url, StringComparison.Ordinal);
        await tab.Page.GotoAsync(AddressOf(served, queue.Path).AbsoluteUri);

        await tab.Page.ClickAsync("#names button >> nth=0");
        await tab.Page.FillAsync("#change-value", "soon");
        await tab.Page.ClickAsync("#change-do");
        await tab.SeeAsync("#change-fault", "is not a place");
        Assert.Equal(0, queue.GetStatistics().Consumers[0].Position);
        await tab.Page.FillAsync("#change-value", $"{positions[2]}");
        await tab.Page.ClickAsync("#change-do");
        await tab.SeeAsync("#names", Quantity.Of(positions[2]));
        await tab.Page.ClickAsync("#names button >> nth=1");
        await tab.SeeAsync("#change", "Delete 'shipping'");
        await tab.Page.ClickAsync("#change-cancel");
        Assert.Single(queue.GetStatistics().Consumers);
        await tab.Page.ClickAsync("#names button >> nth=1");
        await tab.Page.ClickAsync("#change-do");
        await tab.SeeAsync("#names", "No name reads this queue");
        Assert.Empty(queue.GetStatistics().Consumers);
    }

    [BrowserFact]
    public async Task The_text_of_a_dead_letter_is_shown_as_it_is()
    {
        const string Note = "\u5C71\u7530 'Gr\u00F6\u00DFe' \U0001F4E6";
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        queue.OpenProducer<Order>().Dispose();
        using (var letters = new Hosting.DeadLetterStore(queue, "shipping"))
        {
            letters.Add(new Order(1, Note, []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, 64), attempts: 3, "no address", exception: null);
        }

        await using var served = await ServedPage.StartAsync(folder.Path);
        await using var tab = await browser.OpenAsync(AddressOf(served, queue.Path));
        await tab.Page.ClickAsync("#dead summary");
        await tab.Page.ClickAsync("#dead .row");

        await tab.SeeAsync("#dead .json", $"\"Note\": \"{Note}\"");
    }

    [BrowserFact]
    public async Task Following_goes_on_when_a_name_is_deleted()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        queue.OpenConsumer<RawMessage>("shipping").Dispose();
        await using var served = await ServedPage.StartAsync(folder.Path, "--allow-changes");
        await using var tab = await browser.OpenAsync(served.PrintedAddress);
        await tab.SeeAsync("#mode", "changes allowed");
        await tab.Page.GotoAsync(AddressOf(served, queue.Path).AbsoluteUri);
        await tab.SeeAsync("#names", "shipping");
        await tab.SeeAsync("#dead", "No handler");
        await tab.Page.ClickAsync("#follow");

        // The page asks for the dead letters last.
        var loaded = tab.Page.WaitForResponseAsync("**/api/queue/dead*");
        await tab.Page.ClickAsync("#names button >> nth=1");
        await tab.Page.ClickAsync("#change-do");
        await loaded;

        await Assertions.Expect(tab.Page.Locator("#follow")).ToHaveAttributeAsync("aria-pressed", "true");
    }

    private static Task<ServedPage> ServeThreeOrdersAsync(TemporaryFolder folder)
    {
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        return ServedPage.StartAsync(folder.Path);
    }

    private async Task<Tab> SeeOrdersAsync(ServedPage served, TemporaryFolder folder)
    {
        var tab = await browser.OpenAsync(AddressOf(served, folder.PathOf("orders")));
        await tab.SeeAsync("#messages", "\"Id\":3");
        return tab;
    }

    private static Uri AddressOf(ServedPage served, string queue) => new(served.Address, QueueRoute(queue));

    private static string QueueRoute(string queue) => $"#/queue?path={Uri.EscapeDataString(queue)}";

    private static Task<string> FocusedAsync(Tab tab) => tab.Page.EvaluateAsync<string>("document.activeElement.textContent");
}
