using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Hosts whose content root is a directory of the test, with one desk, and their log.</summary>
/// <param name="isInMemory">Whether the directory is in memory, where that is possible: then no new file of a queue waits for the disk.</param>
internal sealed class TestHost(bool isInMemory = false) : IDisposable
{
    public const long SegmentBytes = 1 << 20;

    private const string Memory = "/dev/shm";

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly List<IHost> _hosts = [];

    public string Root { get; } = isInMemory && Directory.Exists(Memory)
        ? Directory.CreateDirectory(Path.Combine(Memory, $"hosting-{Guid.NewGuid():N}")).FullName
        : Directory.CreateTempSubdirectory("hosting-").FullName;

    public Desk Desk { get; } = new();

    public LogLines Log { get; } = new("BufferedMessages.Hosting");

    /// <summary>The directory of the queue "orders".</summary>
    public string Orders => Path.Combine(Root, "orders");

    public static async Task UntilAsync(Func<bool> condition, string goal)
    {
        var end = DateTime.UtcNow + Generous;
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < end, $"It did not happen: {goal}.");
            await Task.Delay(5);
        }
    }

    public IHost Build(Action<IServiceCollection> add, params ReadOnlySpan<(string Key, string Value)> configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = Root });
        builder.Logging.AddProvider(Log);
        foreach (var (key, value) in configuration)
        {
            builder.Configuration[key] = value;
        }

        builder.Services.AddSingleton(Desk);
        add(builder.Services);
        var host = builder.Build();
        _hosts.Add(host);
        return host;
    }

    /// <summary>Starts a host with the queue "orders", a publisher, and the handler "shipping".</summary>
    /// <param name="configure">Changes the options of the handler.</param>
    /// <param name="isSynchronous">Whether the handler is a synchronous one.</param>
    /// <param name="isPaused">Whether the handler is paused before it begins. A worker that is about to take a message when the handler is paused may still handle it.</param>
    public async Task<IHost> StartAsync(Action<MessageHandlerOptions>? configure = null, bool isSynchronous = false, bool isPaused = false)
    {
        var host = Build(services =>
        {
            var orders = services.AddMessageQueue("orders", static queue =>
            {
                queue.Directory = "orders";
                queue.Options.SegmentBytes = SegmentBytes;
            }).AddPublisher<Order>();
            _ = isSynchronous
                ? orders.AddSynchronousHandler<OrderBufferedMessage, SynchronousOrderHandler>("shipping", configure)
                : orders.AddHandler<OrderBufferedMessage, OrderHandler>("shipping", configure);
        });
        if (isPaused)
        {
            ControlOf(host).Pause();
        }

        await host.StartAsync();
        return host;
    }

    /// <summary>Publishes orders with these ids.</summary>
    public static void Publish(IHost host, params IEnumerable<long> ids)
    {
        var publisher = host.Services.GetRequiredService<MessagePublisher<Order>>();
        foreach (var id in ids)
        {
            publisher.Publish(new Order { Id = id, Customer = "Ada" });
        }
    }

    public static MessageHandlerControl ControlOf(IHost host) => host.Services.GetRequiredKeyedService<MessageHandlerControl>("orders/shipping");

    public void Dispose()
    {
        _hosts.ForEach(static host => host.Dispose());
        Log.Dispose();
        Assert.True(SpinWait.SpinUntil(TryDelete, TimeSpan.FromSeconds(60)), $"The folder {Root} cannot be deleted.");
    }

    // A handler that is cancelled when its host is disposed may still write a note about its message.
    private bool TryDelete()
    {
        try
        {
            Directory.Delete(Root, recursive: true);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
