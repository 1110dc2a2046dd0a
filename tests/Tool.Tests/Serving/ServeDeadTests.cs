using BufferedMessages.Hosting;
using BufferedMessages.Runtime.Tests.Queues;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>The dead letters of a queue as the server gives them to the page.</summary>
public class ServeDeadTests
{
    [Fact]
    public async Task Those_that_this_version_cannot_read_do_not_hide_those_of_the_other_handlers()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        queue.OpenProducer<Order>().Dispose();
        foreach (var name in new[] { "billing", "shipping" })
        {
            using var letters = new DeadLetterStore(queue, name);
            letters.Add(new Order(1, null, []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, 0), attempts: 3, "no address", exception: null);
        }

        QueueDirectory.Damage(folder.PathOf("orders/dead/billing/control"), QueueFormat.ControlVersionOffset, 3);
        await using var page = await ServedPage.StartAsync(folder.Path);

        var answer = await page.GetAsync(ServeTests.AddressOf("queue/dead", queue.Path));

        var line = Assert.Single(answer.GetProperty("lines").EnumerateArray());
        Assert.StartsWith("{\"name\":\"shipping\",", line.GetString(), StringComparison.Ordinal);
        Assert.StartsWith("The dead letters of 'billing' cannot be read: ", answer.GetProperty("remarks").GetString(), StringComparison.Ordinal);
    }
}
