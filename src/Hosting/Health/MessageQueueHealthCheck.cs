using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>The health of a queue of the services, with its consumer names, handlers and dead letters.</summary>
internal sealed class MessageQueueHealthCheck(string name, IServiceProvider services) : IHealthCheck
{
    private MessageQueueHealthOptions Options => services.GetRequiredService<IOptionsMonitor<MessageQueueHealthOptions>>().Get(name);

    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var findings = new HealthFindings();
        try
        {
            var statistics = services.GetRequiredKeyedService<MessageQueue>(name).GetStatistics();
            findings.Data["path"] = statistics.Path;
            LookAtDisk(statistics, findings);
            LookAtHandlers(findings);
            foreach (var consumer in statistics.Consumers)
            {
                LookAtConsumer(consumer, findings);
            }

            LookAtDeadLetters(statistics.Path, findings);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            findings.Add(HealthStatus.Unhealthy, $"The queue '{name}' cannot be used: {exception.Message}", exception);
        }

        return Task.FromResult(findings.ToResult($"The queue '{name}' and its handlers work."));
    }

    private void LookAtDisk(QueueStatistics statistics, HealthFindings findings)
    {
        if (statistics.Mode != QueueMode.Durable)
        {
            return;
        }

        var free = new DriveInfo(statistics.Path).AvailableFreeSpace;
        var least = Options.MinFreeBytes ?? statistics.SegmentBytes;
        findings.Data["disk.free"] = free;
        if (free < least)
        {
            findings.Add(HealthStatus.Unhealthy, FormattableString.Invariant($"The disk of '{statistics.Path}' has {free} free bytes, but should have at least {least}. Free some space."));
        }
    }

    private void LookAtHandlers(HealthFindings findings)
    {
        foreach (var handler in services.GetServices<HandlerRegistration>().Where(handler => handler.Queue == name))
        {
            var flow = services.GetRequiredKeyedService<HandlerRun>(handler.Key).Flow;
            var (state, failure) = (flow.State, flow.LastFailure);
            findings.Data["handler." + handler.Name] = state.ToString();
            switch (state)
            {
                case MessageHandlerState.Failed:
                    findings.Add(HealthStatus.Unhealthy, $"Handler '{handler.Name}' cannot go on: {failure?.Message}", failure);
                    break;
                case MessageHandlerState.CircuitOpen when failure is DiskFullException or FlushFailedException:
                    findings.Add(HealthStatus.Unhealthy, $"Handler '{handler.Name}' pauses, because the disk is full or fails: {failure.Message}", failure);
                    break;
                case MessageHandlerState.CircuitOpen:
                    findings.Add(HealthStatus.Degraded, $"Handler '{handler.Name}' pauses after failures, and tries again: {failure?.Message}", failure);
                    break;
                case MessageHandlerState.Paused:
                    findings.Add(HealthStatus.Degraded, $"Handler '{handler.Name}' is paused. Resume it by its MessageHandlerControl.");
                    break;
                default:
                    break;
            }
        }
    }

    private void LookAtConsumer(ConsumerStatistics consumer, HealthFindings findings)
    {
        findings.Data["lag." + consumer.Name] = consumer.LagBytes;
        if (consumer.LagBytes > Options.MaxLagBytes)
        {
            findings.Add(HealthStatus.Degraded, FormattableString.Invariant($"'{consumer.Name}' lags by {consumer.LagBytes} bytes, more than {Options.MaxLagBytes}."));
        }

        if (consumer.OldestUnreadAge is { } age)
        {
            findings.Data["age." + consumer.Name] = age;
            if (age > Options.MaxUnreadAge)
            {
                findings.Add(HealthStatus.Degraded, FormattableString.Invariant($"The oldest unread message of '{consumer.Name}' is {age} old, older than {Options.MaxUnreadAge}."));
            }
        }

        foreach (var member in consumer.Members.Where(static member => member is { IsAlive: false, Position: not null }))
        {
            findings.Add(HealthStatus.Degraded, string.Create(
                CultureInfo.InvariantCulture,
                $"Process {member.ProcessId} died with message {member.Position} of '{consumer.Name}', and no live member of the group has taken it over. Start another member."));
        }
    }

    private void LookAtDeadLetters(string path, HealthFindings findings)
    {
        var now = DateTimeOffset.UtcNow;
        var since = Options.DeadLetterWindow < now - DateTimeOffset.MinValue ? now - Options.DeadLetterWindow : DateTimeOffset.MinValue;
        foreach (var handler in DeadLetterQueue.ListHandlers(path))
        {
            using var letters = DeadLetterQueue.Open(path, handler);
            try
            {
                var count = letters.List(since).Count(letter => letter.Time is null || letter.Time >= since);
                findings.Data["dead_letters." + handler] = count;
                if (count > 0)
                {
                    findings.Add(HealthStatus.Degraded, FormattableString.Invariant($"Dead letters of '{handler}' within the last {Options.DeadLetterWindow}: {count}. Look at them in '{letters.Path}'."));
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or IOException or UnauthorizedAccessException or NotSupportedException)
            {
                findings.Add(HealthStatus.Unhealthy, $"The dead letters of '{handler}' cannot be read: {exception.Message}", exception);
            }
        }
    }
}
