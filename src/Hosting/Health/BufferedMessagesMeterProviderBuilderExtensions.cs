using BufferedMessages.Hosting;

namespace OpenTelemetry.Metrics;

/// <summary>The metrics of BufferedMessages for OpenTelemetry.</summary>
public static class BufferedMessagesMeterProviderBuilderExtensions
{
    extension(MeterProviderBuilder builder)
    {
        /// <summary>Adds the metrics of queues, handlers, bridges and caches.</summary>
        public MeterProviderBuilder AddBufferedMessagesInstrumentation()
        {
            ArgumentNullException.ThrowIfNull(builder);
            return builder.AddMeter(HandlerMetrics.MeterName);
        }
    }
}
