using System.Runtime.ExceptionServices;

namespace BufferedMessages.CrossProcess;

/// <summary>
/// Reads while producers come and die: every message must be whole, the generations must follow each other, and the numbers of each must
/// begin at 0 and have no gap. Ends with the first message of the last generation.
/// </summary>
internal sealed class CheckingThread
{
    private readonly Dictionary<int, long> _counts = [];
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    public CheckingThread(MessageConsumer<RawMessage> consumer, int lastGeneration)
    {
        _thread = new Thread(() =>
        {
            try
            {
                Check(consumer, lastGeneration);
            }
            catch (Exception exception)
            {
                _failure = ExceptionDispatchInfo.Capture(exception);
            }
        })
        {
            IsBackground = true,
        };
        _thread.Start();
    }

    /// <summary>Waits for the end and gives the number of messages by generation.</summary>
    public IReadOnlyDictionary<int, long> Join(TimeSpan limit)
    {
        Assert.True(_thread.Join(limit), "The last message did not arrive.");
        _failure?.Throw();
        return _counts;
    }

    private void Check(MessageConsumer<RawMessage> consumer, int lastGeneration)
    {
        var current = 0;
        foreach (var delivery in consumer.ReadAll())
        {
            var (generation, number) = NumberedMessage.Read(delivery.Message.Bytes);
            if (generation == lastGeneration)
            {
                return;
            }

            Assert.True(generation >= current, $"A message of generation {generation} came after generation {current}.");
            Assert.Equal(_counts.GetValueOrDefault(generation), number);
            current = generation;
            _counts[generation] = number + 1;
        }
    }
}
