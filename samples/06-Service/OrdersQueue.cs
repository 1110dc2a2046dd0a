using BufferedMessages.Hosting;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace BufferedMessages.Samples.Service;

/// <summary>The parts that both processes have: the queue, its health checks, logs, traces and metrics.</summary>
internal static class OrdersQueue
{
    /// <summary>The name of the queue among the services.</summary>
    public const string Name = "orders";

    /// <summary>The name of the handler.</summary>
    public const string Shipping = "shipping";

    private const int MetricsInterval = 10_000;

    /// <summary>The folder of the queue.</summary>
    public static string FolderOf(IConfiguration configuration) =>
        Path.Combine(Path.GetFullPath(configuration["data"] ?? Path.Combine(Path.GetTempPath(), "bufferedmessages-service")), Name);

    /// <summary>Adds the queue to the services of a process.</summary>
    public static MessageQueueBuilder AddOrdersQueue(this IHostApplicationBuilder builder, string service)
    {
        builder.Logging.AddSimpleConsole(static console =>
        {
            console.SingleLine = true;
            console.TimestampFormat = "HH':'mm':'ss ";
        });
        builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
        builder.Services.AddOpenTelemetry()
            .ConfigureResource(resource => resource.AddService(service))
            .WithTracing(static tracing => tracing
                .AddBufferedMessagesInstrumentation()
                .AddSource("Microsoft.AspNetCore")
                .AddProcessor(new SimpleActivityExportProcessor(new SpanLines())))
            .WithMetrics(metrics =>
            {
                metrics.AddBufferedMessagesInstrumentation();
                if (builder.Configuration.GetValue<bool>("metrics"))
                {
                    metrics.AddReader(new PeriodicExportingMetricReader(new MetricLines(), MetricsInterval));
                }
            });
        builder.Services.AddHealthChecks().AddMessageQueues(static limits => limits.MaxUnreadAge = TimeSpan.FromSeconds(30));
        var folder = FolderOf(builder.Configuration);
        return builder.Services.AddMessageQueue(Name, queue => queue.Directory = folder);
    }
}
