using System.Collections.Concurrent;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The work of the handlers of the tests, as a test defines it.</summary>
internal sealed class Desk
{
    private int _running;
    private int _mostAtOnce;

    /// <summary>The ids of orders whose handling has begun, in order, once for each attempt.</summary>
    public ConcurrentQueue<long> Begun { get; } = new();

    /// <summary>The ids of orders that were handled, in order.</summary>
    public ConcurrentQueue<long> Done { get; } = new();

    /// <summary>The contexts of the attempts.</summary>
    public ConcurrentQueue<MessageContext> Contexts { get; } = new();

    public int MostAtOnce => Volatile.Read(ref _mostAtOnce);

    public Func<long, MessageContext, CancellationToken, ValueTask> Work { get; set; } = static (_, _, _) => ValueTask.CompletedTask;

    public async ValueTask HandleAsync(long id, MessageContext context, CancellationToken stop)
    {
        Begun.Enqueue(id);
        Contexts.Enqueue(context);
        var running = Interlocked.Increment(ref _running);
        int most;
        while ((most = MostAtOnce) < running && Interlocked.CompareExchange(ref _mostAtOnce, running, most) != most)
        {
        }

        try
        {
            await Work(id, context, stop);
            Done.Enqueue(id);
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }
}
