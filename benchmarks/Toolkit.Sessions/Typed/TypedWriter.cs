using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The process of <see cref="TypedSession"/> that has the objects.</summary>
internal static class TypedWriter
{
    public const string Role = "typed-writer";

    public static void Serve(SessionOptions options)
    {
        while (PeerProcess.TryHearOrder(out var order))
        {
            var (transport, messages) = (order[2], order[4]);
            using var format = OrderFormat.Create(order[1]);
            using var outlet = Transport.OpenOutlet(transport, options, order[0]);
            PeerProcess.Answer();
            PeerProcess.AwaitGo();
            var allocated = GC.GetAllocatedBytesForCurrentThread();
            var start = Stopwatch.GetTimestamp();
            for (var sent = 0L; sent < messages; sent += TypedSession.BatchMessages)
            {
                Send(outlet, format, sent, Math.Min(messages, sent + TypedSession.BatchMessages));
            }

            PeerProcess.Answer(start, GC.GetAllocatedBytesForCurrentThread() - allocated);

            // The reader has everything before this end is closed.
            PeerProcess.AwaitGo();
        }
    }

    private static void Send(IOrderOutlet outlet, IOrderFormat format, long first, long end)
    {
        for (var number = first; number < end; number++)
        {
            outlet.Send(format, number);
        }
    }
}
