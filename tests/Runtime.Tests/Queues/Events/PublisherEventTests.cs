using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed partial class PublisherEventTests : IDisposable
{
    private const int Seats = ParticipantSlot.Count - 1;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    // A publisher opens its second producer when another thread uses the first one.
    [Fact]
    public void A_publisher_holds_no_lock_while_a_listener_hears_of_the_producer_it_opens()
    {
        if (Environment.ProcessorCount == 1)
        {
            return;
        }

        using var crashed = CrashWithProducer();
        var heard = new HeardEvents();
        using var queue = MessageQueue.Open(crashed.Path, heard.Options());
        using var publisher = queue.OpenPublisher<Slow>();

        // The dead producer's slot is the only one that is left.
        var others = Enumerable.Range(0, Seats - 2).Select(_ => queue.OpenProducer<Slow>()).ToList();
        using var isReading = new ManualResetEventSlim();
        using var mayRead = new ManualResetEventSlim();
        var first = new Background(() => Assert.Throws<ObjectDisposedException>(() => publisher.Publish(new Slow(() =>
        {
            isReading.Set();
            Assert.True(mayRead.Wait(Generous));
        }))));
        Assert.True(isReading.Wait(Generous));
        var isDisposed = false;
        heard.Then = _ => isDisposed = Task.Run(publisher.Dispose).Wait(Generous);

        Assert.Throws<ObjectDisposedException>(() => publisher.Publish(new Slow(static () => { })));

        Assert.Equal(QueueEventKind.SlotFreed, Assert.Single(heard.All).Kind);
        Assert.True(isDisposed);
        mayRead.Set();
        first.Join();
        Assert.Equal(Seats - 2, queue.GetStatistics().Producers.Count);
        others.ForEach(static other => other.Dispose());
    }

    private QueueDirectory CrashWithProducer()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Slow>();
        return _directory.Crash();
    }

    /// <summary>A message that takes its time to be written.</summary>
    [BufferedMessageSource]
    internal sealed partial class Slow
    {
        private readonly Action _read;

        public Slow()
            : this(static () => { })
        {
        }

        public Slow(Action read) => _read = read;

        public int Number
        {
            get
            {
                _read();
                return field;
            }

            set;
        }
    }
}
