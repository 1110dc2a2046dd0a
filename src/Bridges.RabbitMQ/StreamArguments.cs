using System.Globalization;
using RabbitMQ.Client;

namespace BufferedMessages.Bridges;

/// <summary>The arguments of RabbitMQ that make a queue a stream and tell a consumer's place in it.</summary>
internal static class StreamArguments
{
    /// <summary>The header of a delivery that has the offset, and the argument of a consumer that has the first one.</summary>
    public const string Offset = "x-stream-offset";

    /// <summary>The header of a message that has the header of the run.</summary>
    public const string RunHeader = "bm-run";

    public static Dictionary<string, object?> OfDeclaration(RabbitMqMessageStreamOptions options)
    {
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { ["x-queue-type"] = "stream" };
        Add("x-max-length-bytes", options.MaxLengthBytes);
        Add("x-max-age", options.MaxAge is { } age ? string.Create(CultureInfo.InvariantCulture, $"{(long)Math.Ceiling(age.TotalSeconds)}s") : null);
        Add("x-stream-max-segment-size-bytes", options.MaxSegmentBytes);
        Add("x-queue-leader-locator", options.LeaderLocator);
        Add("x-initial-cluster-size", options.InitialClusterSize);
        return arguments;

        void Add(string name, object? value)
        {
            if (value is not null)
            {
                arguments.Add(name, value);
            }
        }
    }

    public static Dictionary<string, object?> OfConsumer(StreamStart start)
    {
        object first = start switch
        {
            { Offset: { } offset } => (long)Math.Min(offset.Major, long.MaxValue),

            // The broker would take an earlier time for one in the future.
            { Time: { } time } => new AmqpTimestamp(Math.Max(time.ToUnixTimeSeconds(), 0)),
            { IsLatest: true } => "next",
            _ => "first",
        };
        return new Dictionary<string, object?>(StringComparer.Ordinal) { [Offset] = first };
    }
}
