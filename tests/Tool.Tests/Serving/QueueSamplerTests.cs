namespace BufferedMessages.Tool.Tests;

public sealed class QueueSamplerTests : IDisposable
{
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(2);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Queues_are_not_sampled_without_a_page_however_many_came_and_a_later_page_gets_no_old_sample()
    {
        var sampler = new QueueSampler(ServedFolders.Of([_folder.Path]), CancellationToken.None, Rest);
        await using var end = sampler;
        List<IDisposable> pages = [.. Enumerable.Range(0, 20).Select(_ => sampler.Join())];
        await sampler.AfterAsync(0);
        pages.ForEach(static page => page.Dispose());
        var last = sampler.Last.Number;

        // One sample may be under way.
        while (sampler.Last.Number is > 0 and var number && number <= last + 1)
        {
            await Task.Delay(10);
        }

        Assert.Equal(0, sampler.Last.Number);
        var next = sampler.AfterAsync(0);
        Assert.NotSame(next, await Task.WhenAny(next, Task.Delay(Quiet)));
        using var page = sampler.Join();
        Assert.True((await next).Number > last);
    }
}
