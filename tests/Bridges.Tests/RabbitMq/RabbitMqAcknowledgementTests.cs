using System.Collections.Concurrent;
using System.Reflection;
using RabbitMQ.Client;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The acknowledgements of a reader, over a channel that only notes them. A broker ends a channel that owes one for too long.</summary>
public sealed class RabbitMqAcknowledgementTests
{
    private const int Prefetch = 128;

    // A quarter of them.
    private const int AcknowledgedAtOnce = 32;

    [Fact]
    public void An_entry_is_acknowledged_long_before_the_broker_ends_the_channel() => Assert.Equal(TimeSpan.FromMinutes(1), RabbitMqReader.AcknowledgeWithin);

    [Fact]
    public async Task Entries_are_acknowledged_together_when_a_quarter_of_those_sent_ahead_came_back()
    {
        var channel = DispatchProxy.Create<IChannel, NotedCalls>();
        await using var reader = Open(channel, TimeSpan.FromHours(1));
        for (var tag = 1; tag <= AcknowledgedAtOnce; tag++)
        {
            await ReadNextAsync(reader, tag);
        }

        // The last one has not come back.
        Assert.Empty(AcknowledgementsOf(channel));
        await ReadNextAsync(reader, AcknowledgedAtOnce + 1);
        Assert.Equal((AcknowledgedAtOnce, true), Assert.Single(AcknowledgementsOf(channel)));
    }

    [Fact]
    public async Task An_entry_that_came_back_is_acknowledged_in_time_although_no_other_one_follows()
    {
        var channel = DispatchProxy.Create<IChannel, NotedCalls>();
        var reader = Open(channel, TimeSpan.FromMilliseconds(5));
        await ReadNextAsync(reader, tag: 1);
        var next = reader.ReadAsync(CancellationToken.None).AsTask();
        await UntilAsync(() => !AcknowledgementsOf(channel).IsEmpty, "the acknowledgement");
        await reader.DisposeAsync();

        Assert.Equal((1, true), Assert.Single(AcknowledgementsOf(channel)));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => next);
    }

    private static RabbitMqReader Open(IChannel channel, TimeSpan acknowledgeWithin) =>
        new(new BrokerSession("any", DispatchProxy.Create<IConnection, NotedCalls>(), channel), StreamStart.Earliest, Prefetch, acknowledgeWithin);

    private static ConcurrentQueue<(int Tag, bool IsOfAllBefore)> AcknowledgementsOf(IChannel channel) => ((NotedCalls)channel).Acknowledgements;

    // As the client does, which delivers an entry when the one before has come back.
    private static async Task ReadNextAsync(RabbitMqReader reader, int tag)
    {
        var reading = reader.ReadAsync(CancellationToken.None).AsTask();
        var properties = new BasicProperties { Headers = new Dictionary<string, object?>(StringComparer.Ordinal) { [StreamArguments.Offset] = (long)tag } };
        _ = reader.HandleBasicDeliverAsync("consumer", (ulong)tag, redelivered: false, "", "any", properties, ReadOnlyMemory<byte>.Empty, CancellationToken.None);

        Assert.Equal(new StreamOffset((ulong)tag), (await reading).Offset);
    }

    /// <summary>A connection or a channel that notes acknowledgements, and does nothing.</summary>
    public class NotedCalls : DispatchProxy
    {
        /// <summary>The tags, and whether each is also for all entries before it.</summary>
        public ConcurrentQueue<(int Tag, bool IsOfAllBefore)> Acknowledgements { get; } = new();

        /// <inheritdoc/>
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            if (targetMethod!.Name == nameof(IChannel.BasicAckAsync))
            {
                Acknowledgements.Enqueue(((int)(ulong)args![0]!, (bool)args[1]!));
            }

            return targetMethod.ReturnType == typeof(Task) ? Task.CompletedTask
                : targetMethod.ReturnType == typeof(ValueTask) ? (object)default(ValueTask)
                : null;
        }
    }
}
