using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Torture;

/// <summary>
/// A process with handlers, in two hosts: one for the groups, and one for the ordered handler, which starts when no other process has its name. It runs until it is killed, or its input ends.
/// </summary>
internal static class WorkerPart
{
    public const string Name = "worker";

    /// <summary>The line that it writes when the groups have started.</summary>
    public const string Ready = "ready";

    private const int MaxDeaths = TortureRules.MaxDeaths;
    private const int FailedExitCode = 3;

    private static readonly TimeSpan Watch = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan[] RetryDelays = [TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(5)];

    public static string[] Arguments(string directory, int life, PlantedFault fault) => [Name, directory, life.ToString(CultureInfo.InvariantCulture), fault.ToString()];

    public static async Task<int> RunAsync(string[] arguments)
    {
        var fault = Enum.Parse<PlantedFault>(arguments[3]);
        using var journal = new Journal(TortureDirectory.JournalOf(arguments[1]));
        var work = new HandlerWork(journal, int.Parse(arguments[2], CultureInfo.InvariantCulture), fault);
        using var groups = Build(arguments[1], work, queue => AddGroups(queue, fault));
        await groups.StartAsync();
        Console.Out.WriteLine(Ready);
        IHost? ordered = null;

        // The console reads synchronously.
        var end = Task.Run(Console.In.ReadToEnd);
        while (await Task.WhenAny(end, Task.Delay(Watch)) != end)
        {
            ordered ??= await TryStartOrderedAsync(arguments[1], work, fault);
            var failure = FailureOf(groups, HandlerNames.Group, HandlerNames.Synchronous) ?? (ordered is null ? null : FailureOf(ordered, HandlerNames.Ordered));
            if (failure is not null)
            {
                await Console.Error.WriteLineAsync(failure);
                return FailedExitCode;
            }
        }

        await Task.WhenAll(groups.StopAsync(), ordered?.StopAsync() ?? Task.CompletedTask);
        ordered?.Dispose();
        return 0;
    }

    private static void AddGroups(MessageQueueBuilder queue, PlantedFault fault)
    {
        queue.AddHandler<NumberedMessageBufferedMessage, GroupHandler>(HandlerNames.All[HandlerNames.Group], options =>
        {
            Configure(options, fault);
            options.Concurrency = 2;
        });
        queue.AddSynchronousHandler<NumberedMessageBufferedMessage, SynchronousHandler>(HandlerNames.All[HandlerNames.Synchronous], options =>
        {
            Configure(options, fault);
            options.DedicatedThread = true;
        });
    }

    // Null while another process has the name.
    private static async Task<IHost?> TryStartOrderedAsync(string directory, HandlerWork work, PlantedFault fault)
    {
        var host = Build(directory, work, queue => queue.AddHandler<NumberedMessageBufferedMessage, OrderedHandler>(HandlerNames.All[HandlerNames.Ordered], options =>
        {
            Configure(options, fault);
            options.Ordered = fault != PlantedFault.NoOrder;
            options.Concurrency = options.Ordered ? 1 : 2;
        }));
        try
        {
            await host.StartAsync();
            return host;
        }
        catch (QueueInUseException)
        {
            host.Dispose();
            return null;
        }
    }

    private static void Configure(MessageHandlerOptions options, PlantedFault fault)
    {
        options.RetryDelays = RetryDelays;
        options.MaxDeaths = fault == PlantedFault.MoreAttempts ? MaxDeaths + 2 : MaxDeaths;
        options.BreakDuration = Watch;
    }

    private static IHost Build(string directory, HandlerWork work, Action<MessageQueueBuilder> add)
    {
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.Services.AddSingleton(work);
        add(builder.Services.AddMessageQueue(TortureDirectory.Queue, queue =>
        {
            queue.Directory = TortureDirectory.QueueOf(directory);
            queue.Options = TortureDirectory.QueueOptions;
        }));
        return builder.Build();
    }

    private static string? FailureOf(IHost host, params ReadOnlySpan<int> handlers)
    {
        foreach (var handler in handlers)
        {
            var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>($"{TortureDirectory.Queue}/{HandlerNames.All[handler]}");
            if (control.State == MessageHandlerState.Failed)
            {
                return $"The handler {control.HandlerName} failed: {control.LastFailure}";
            }
        }

        return null;
    }
}
