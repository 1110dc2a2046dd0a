using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The process of <see cref="TypedSession"/> that reads the fields.</summary>
internal static class TypedReader
{
    public const string Role = "typed-reader";

    public static void Serve(SessionOptions options)
    {
        while (PeerProcess.TryHearOrder(out var order))
        {
            var (transport, hasAllFields, messages) = (order[2], order[3] != 0, order[4]);
            using var format = OrderFormat.Create(order[1]);
            using var inlet = Transport.OpenInlet(transport, options, order[0], () => PeerProcess.Answer());
            var allocated = GC.GetAllocatedBytesForCurrentThread();
            var sum = 0L;
            for (var read = 0L; read < messages; read += TypedSession.BatchMessages)
            {
                sum += Receive(inlet, format, hasAllFields, Math.Min(messages - read, TypedSession.BatchMessages));
            }

            var end = Stopwatch.GetTimestamp();
            PeerProcess.Answer(end, GC.GetAllocatedBytesForCurrentThread() - allocated, sum);
        }
    }

    private static long Receive(IOrderInlet inlet, IOrderFormat format, bool hasAllFields, long messages)
    {
        var sum = 0L;
        for (var i = 0L; i < messages; i++)
        {
            sum += inlet.Receive(format, hasAllFields);
        }

        return sum;
    }
}
