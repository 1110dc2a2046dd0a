namespace BufferedMessages.Tool.Tests;

public sealed class QueueSamplerTests : IDisposable
{
    // More than half a minute has, and fewer than half a minute for each page.
    private const int MostSamples = 60;

    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(2);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Queues_are_not_sampled_without_a_page_however_many_came_and_a_later_page_gets_no_old_sample()
    {
        var sampler = new QueueSampler(ServedFolders.Of([_folder.Path]), CancellationToken.None);
        await using var end = sampler;
        List<IDisposable> pages = [.. Enumerable.Range(0, 20).Select(_ => sampler.Join())];
        await sampler.AfterAsync(0);
        pages.ForEach(static page => page.Dispose());
        var last = sampler.Last.Number;

        // Half a minute is sampled, for a page that is loaded again.
        while (sampler.Last.Number is > 0 and var number && number <= last + MostSamples)
        {
            await Task.Delay(100);
        }

        Assert.Equal(0, sampler.Last.Number);
        var next = sampler.AfterAsync(0);
        Assert.NotSame(next, await Task.WhenAny(next, Task.Delay(Quiet)));
        using var page = sampler.Join();
        Assert.True((await next).Number > last);
    }
}
