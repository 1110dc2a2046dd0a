using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Shop;
using BufferedMessages.Hosting;
using BufferedMessages.TestKit;
using static BufferedMessages.Tool.Tests.ServeTests;

namespace BufferedMessages.Tool.Tests;

/// <summary>The requests that are refused, and the changes that only a page may make that was opened by the printed address.</summary>
/// <param name="shared">The page of the tests that change nothing.</param>
public class ServeRefusalTests(EmptyFolderPage shared) : IClassFixture<EmptyFolderPage>
{
    [Theory]
    [InlineData("shop.example")]
    [InlineData("localhost")]
    [InlineData("localhost:1")]
    [InlineData("127.0.0.1.shop.example:{port}")]
    [InlineData("")]
    public async Task A_request_to_another_host_is_refused(string host)
    {
        var page = shared.Page;

        var response = await page.SendAsync(HttpMethod.Get, "/api/start", null, ("Host", host.Replace("{port}", $"{page.Address.Port}", StringComparison.Ordinal)));

        Assert.True(response.StatusCode is HttpStatusCode.MisdirectedRequest or HttpStatusCode.BadRequest, $"{response.StatusCode}");
        Assert.Empty(await response.Content.ReadAsByteArrayAsync());
    }

    [Theory]
    [InlineData("localhost")]
    [InlineData("127.0.0.1")]
    [InlineData("[::1]")]
    public async Task Each_name_of_this_machine_is_answered(string host)
    {
        var page = shared.Page;

        Assert.Equal(HttpStatusCode.OK, (await page.SendAsync(HttpMethod.Get, "/", null, ("Host", $"{host}:{page.Address.Port}"))).StatusCode);
    }

    [Fact]
    public async Task Only_the_loopback_is_bound()
    {
        var page = shared.Page;
        var others = (await Dns.GetHostAddressesAsync(Dns.GetHostName())).Where(static address => !IPAddress.IsLoopback(address));

        foreach (var address in others)
        {
            using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await Assert.ThrowsAnyAsync<SocketException>(async () => await socket.ConnectAsync(address, page.Address.Port));
        }

        using var loopback = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await loopback.ConnectAsync(IPAddress.Loopback, page.Address.Port);
    }

    [OtherUserFact]
    public async Task Another_user_of_the_machine_is_refused()
    {
        var page = shared.Page;
        var request = $"exec 3<>/dev/tcp/127.0.0.1/{page.Address.Port}; printf 'GET /api/start HTTP/1.1\\r\\nHost: localhost:{page.Address.Port}\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3";

        var own = await RunAsync("/bin/bash", "-c", request);
        var other = await RunAsync(OtherUserFactAttribute.Program, "--reuid=65534", "--clear-groups", "/bin/bash", "-c", request);

        Assert.StartsWith("HTTP/1.1 200 ", own, StringComparison.Ordinal);
        Assert.StartsWith("HTTP/1.1 403 ", other, StringComparison.Ordinal);
        Assert.DoesNotContain(shared.Path, other, StringComparison.Ordinal);

        static async Task<string> RunAsync(string program, params string[] arguments)
        {
            using var process = new TestProcess { StartInfo = new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardOutput = true } };
            process.Start();
            var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(TimeSpan.FromSeconds(60));
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
            return output;
        }
    }

    [Theory]
    [InlineData("Origin", "https://shop.example")]
    [InlineData("Origin", "null")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public async Task A_request_of_another_site_is_refused(string header, string value)
    {
        var page = shared.Page;

        var response = await page.SendAsync(HttpMethod.Get, "/api/start", null, (header, value));

        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/page.js")]
    [InlineData("/api/start")]
    [InlineData("/nowhere")]
    public async Task No_answer_is_for_other_sites_and_all_forbid_scripts_of_others(string address)
    {
        var page = shared.Page;

        var response = await page.SendAsync(HttpMethod.Get, address, null, ("Origin", page.Address.GetLeftPart(UriPartial.Authority)));

        Assert.DoesNotContain(response.Headers, static header => header.Key.StartsWith("Access-Control", StringComparison.OrdinalIgnoreCase));
        Assert.StartsWith("default-src 'none'; script-src 'self'; style-src 'self';", response.Headers.GetValues("Content-Security-Policy").Single(), StringComparison.Ordinal);
        Assert.Equal("nosniff", response.Headers.GetValues("X-Content-Type-Options").Single());
        Assert.Equal("no-store", response.Headers.GetValues("Cache-Control").Single());
    }

    [Fact]
    public async Task A_path_outside_of_the_folders_is_refused()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("shop/orders"), 1);
        QueueOfOrders.Create(folder.PathOf("shop-2/secrets"), 1);
        Directory.CreateSymbolicLink(folder.PathOf("shop/link"), folder.PathOf("shop-2/secrets"));
        await using var page = await ServedPage.StartAsync(folder.PathOf("shop"));

        string[] outside = [folder.PathOf("shop-2/secrets"), folder.PathOf("shop/../shop-2/secrets"), "/", "/etc/passwd", "orders"];
        foreach (var path in outside)
        {
            await AssertRefusedAsync(HttpStatusCode.Forbidden, "outside of the folders", await page.SendAsync(HttpMethod.Get, AddressOf("queue", path)));
        }

        string[] missing = [folder.PathOf("shop/link"), folder.PathOf("shop/other"), folder.PathOf("shop/./orders"), folder.PathOf("shop/orders/../orders"), folder.PathOf("shop")];
        foreach (var path in missing)
        {
            await AssertRefusedAsync(HttpStatusCode.NotFound, "does not exist", await page.SendAsync(HttpMethod.Get, AddressOf("queue", path)));
        }

        Assert.Equal(HttpStatusCode.NotFound, (await page.SendAsync(HttpMethod.Get, AddressOf("cache", folder.PathOf("shop/orders")))).StatusCode);
        Assert.Equal(HttpStatusCode.OK, (await page.SendAsync(HttpMethod.Get, AddressOf("queue", folder.PathOf("shop/orders")))).StatusCode);
    }

    [Fact]
    public async Task Without_allow_changes_every_change_is_refused()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1, new MessageQueueOptions { SegmentBytes = 65536 });
        await using var page = await ServedPage.StartAsync(folder.Path);
        var before = FolderContent.Of(folder.Path);

        foreach (var method in new[] { HttpMethod.Post, HttpMethod.Put, HttpMethod.Delete, HttpMethod.Patch })
        {
            foreach (var address in new[] { "/api/change", "/", AddressOf("queue", folder.PathOf("orders")) })
            {
                using var change = ServedPage.ChangeOf(("action", "remove"), ("path", folder.PathOf("orders")), ("name", "shipping"));
                await AssertRefusedAsync(HttpStatusCode.Forbidden, "--allow-changes", await page.SendAsync(method, address, change, (ServedPage.TokenHeader, "0")));
            }
        }

        Assert.Equal(HttpStatusCode.MethodNotAllowed, (await page.SendAsync(HttpMethod.Options, "/api/change")).StatusCode);
        Assert.False((await page.GetAsync("/api/start")).GetProperty("allowsChanges").GetBoolean());
        Assert.Equal(before, FolderContent.Of(folder.Path));
    }

    [Fact]
    public async Task A_change_needs_the_token_of_the_printed_address()
    {
        using var folder = new TemporaryFolder();
        await using var page = await ServedPage.StartAsync(folder.Path, "--allow-changes");
        (string, string)[] change = [("action", "remove"), ("path", folder.PathOf("orders")), ("name", "shipping")];

        await AssertRefusedAsync(HttpStatusCode.Forbidden, "printed", await page.SendAsync(HttpMethod.Post, "/api/change", ServedPage.ChangeOf(change)));
        await AssertRefusedAsync(HttpStatusCode.Forbidden, "printed", await page.SendAsync(HttpMethod.Post, "/api/change", ServedPage.ChangeOf(change), (ServedPage.TokenHeader, page.Token[1..] + "g")));
        Assert.DoesNotContain(page.Token, await page.Client.GetStringAsync(new Uri(page.Address, "/api/start")), StringComparison.Ordinal);
        Assert.Equal(48, page.Token.Length);
    }

    [Fact]
    public async Task A_name_is_moved_and_deleted_as_the_commands_do()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        queue.OpenConsumer<RawMessage>("--yes").Dispose();
        await using var page = await ServedPage.StartAsync(folder.Path, "--allow-changes");

        var moved = await page.ChangeAsync(("action", "seek"), ("path", queue.Path), ("name", "--yes"), ("to", $"{positions[2]}"));
        Assert.Equal(HttpStatusCode.OK, moved.StatusCode);
        Assert.Equal(positions[2], queue.GetStatistics().Consumers[0].Position);
        await AssertRefusedAsync(HttpStatusCode.UnprocessableEntity, "not a place", await page.ChangeAsync(("action", "seek"), ("path", queue.Path), ("name", "--yes"), ("to", "soon")));
        await AssertRefusedAsync(HttpStatusCode.UnprocessableEntity, "no consumer name", await page.ChangeAsync(("action", "remove"), ("path", queue.Path), ("name", "shiping")));
        await AssertRefusedAsync(HttpStatusCode.Forbidden, "outside", await page.ChangeAsync(("action", "remove"), ("path", "/etc"), ("name", "--yes")));
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "not complete", await page.ChangeAsync(("action", "remove"), ("path", queue.Path)));
        await AssertRefusedAsync(HttpStatusCode.BadRequest, "Unknown change 'clear'", await page.ChangeAsync(("action", "clear"), ("path", queue.Path)));

        Assert.Equal(HttpStatusCode.OK, (await page.ChangeAsync(("action", "remove"), ("path", queue.Path), ("name", "--yes"))).StatusCode);
        Assert.Empty(queue.GetStatistics().Consumers);
    }

    [Fact]
    public async Task Dead_letters_are_requeued_and_dropped_one_by_one()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        using (var letters = new DeadLetterStore(queue, "shipping"))
        {
            letters.Add(new Order(38, null, []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, 64), attempts: 3, "timeout", exception: null);
            letters.Add(new Order(39, null, []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, 128), attempts: 3, "no address", exception: null);
        }

        await using var page = await ServedPage.StartAsync(folder.Path, "--allow-changes");
        var before = queue.PublishedPosition;
        var shown = (await page.GetAsync($"{AddressOf("queue/dead/letters", queue.Path)}&name=shipping")).GetProperty("lines");
        var positions = shown.EnumerateArray().Select(static line => System.Text.Json.JsonDocument.Parse(line.GetString()!).RootElement.GetProperty("position").GetInt64()).ToList();

        Assert.Equal(HttpStatusCode.OK, (await page.ChangeAsync(("action", "requeue"), ("path", queue.Path), ("name", "shipping"), ("position", $"{positions[0]}"))).StatusCode);
        Assert.True(queue.PublishedPosition > before);
        Assert.Equal(HttpStatusCode.OK, (await page.ChangeAsync(("action", "drop"), ("path", queue.Path), ("name", "shipping"), ("position", $"{positions[1]}"))).StatusCode);
        using var left = DeadLetterQueue.Open(queue.Path, "shipping");
        Assert.Empty(left.List());
    }
}
