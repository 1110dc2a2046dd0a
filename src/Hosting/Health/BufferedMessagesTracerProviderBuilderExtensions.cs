using BufferedMessages.Hosting;

namespace OpenTelemetry.Trace;

/// <summary>The traces of BufferedMessages for OpenTelemetry.</summary>
public static class BufferedMessagesTracerProviderBuilderExtensions
{
    extension(TracerProviderBuilder builder)
    {
        /// <summary>Adds the spans of publishing, handling and bridges.</summary>
        public TracerProviderBuilder AddBufferedMessagesInstrumentation()
        {
            ArgumentNullException.ThrowIfNull(builder);
            return builder.AddSource(HandlerTraces.SourceName);
        }
    }
}
