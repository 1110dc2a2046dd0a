using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues that a page follows, and that cannot be read on.</summary>
public class FollowFaultTests
{
    private const int RequiredFeaturesByte = 3;

    [Fact]
    public async Task A_record_of_a_newer_program_is_named_and_the_samples_go_on()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 2);
        QueueDirectory.Damage(Directory.GetFiles(folder.PathOf("orders"), "*.segment").Single(), positions[1] + RequiredFeaturesByte, 1);
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync($"path={Uri.EscapeDataString(folder.PathOf("orders"))}&follow={positions[0]}");

        var fault = await events.NextAsync("fault");

        Assert.Contains("Update the BufferedMessages package", fault.GetProperty("error").GetString(), StringComparison.Ordinal);
        await events.NextAsync("sample");
    }
}
