using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Peers;

/// <summary>
/// Messages of 64 bytes to another process and back. The other process sends each number back, and for a negative number as many messages as it says.
/// </summary>
internal static class QueueMeasurement
{
    public const int MessageBytes = 64;

    private const string There = "there";
    private const string Back = "back";
    private const long End = long.MinValue;
    private const int WarmupTrips = 5_000;
    private const int Trips = 20_000;
    private const int Trial = 50_000;
    private const int FewestMessages = 1_000;

    // Some queues keep their messages in files. A virtual machine gets new memory from its host slowly; the files of six rounds stay within what it mostly has at hand.
    private const int MostMessages = 1_000_000;

    private const int Rounds = 5;
    private const double RoundSeconds = 0.5;
    private static readonly TimeSpan LongestTrips = TimeSpan.FromSeconds(3);

    /// <summary>In the process that measures.</summary>
    /// <param name="peer">The way.</param>
    /// <param name="directory">A directory of its own.</param>
    /// <param name="start">Starts the other process.</param>
    public static PeerFigure Run(IQueuePeer peer, string directory, Func<IDisposable> start)
    {
        peer.Create(Path.Combine(directory, There));
        peer.Create(Path.Combine(directory, Back));
        using var other = start();
        using var writer = peer.OpenWriter(Path.Combine(directory, There));
        using var reader = peer.OpenReader(Path.Combine(directory, Back));
        _ = MeasureTrips(writer, reader, WarmupTrips);
        var rate = MeasureRate(writer, reader, Trial);
        var allocated = GC.GetAllocatedBytesForCurrentThread() + (Trips * sizeof(long));
        var trips = MeasureTrips(writer, reader, Trips);
        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        var figure = new PeerFigure
        {
            Workload = peer.IsWithinProcess ? "64 B within a process" : "64 B between processes",
            Library = peer.Name,
            Version = PeerFigure.VersionOf(peer.Library),
            RoundTrips = trips.Length,
            RoundTripP50 = Nanoseconds(trips[trips.Length / 2]),
            RoundTripP99 = Nanoseconds(trips[(int)(trips.Length * 0.99)]),
            AllocatedBytes = Math.Round((double)allocated / trips.Length, 1),
        };
        var rates = new List<double>();
        for (var round = 0; round <= Rounds; round++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            rate = MeasureRate(writer, reader, (long)Math.Clamp(rate * RoundSeconds, FewestMessages, MostMessages));
            rates.Add(rate);
        }

        Send(writer, End);

        // In the first round both programs are still being compiled.
        return figure with { PerSecond = Math.Round(rates.Skip(1).Order().ElementAt(Rounds / 2)) };
    }

    /// <summary>In the other process.</summary>
    public static void Answer(IQueuePeer peer, string directory)
    {
        using var reader = peer.OpenReader(Path.Combine(directory, There));
        using var writer = peer.OpenWriter(Path.Combine(directory, Back));
        while (true)
        {
            var number = reader.Receive();
            if (number == End)
            {
                return;
            }

            if (number >= 0)
            {
                Send(writer, number);
                continue;
            }

            for (var i = 0L; i < -number; i++)
            {
                Send(writer, i);
            }
        }
    }

    private static ReadOnlySpan<long> MeasureTrips(IQueueWriter writer, IQueueReader reader, int count)
    {
        var ticks = new long[count];
        var begin = Stopwatch.GetTimestamp();
        var done = 0;
        for (; done < count && Stopwatch.GetElapsedTime(begin) < LongestTrips; done++)
        {
            var start = Stopwatch.GetTimestamp();
            Send(writer, done);
            Expect(reader, done);
            ticks[done] = Stopwatch.GetTimestamp() - start;
        }

        Array.Sort(ticks, 0, done);
        return ticks.AsSpan(0, done);
    }

    // From the first message, which waits for the other process, to the last.
    private static double MeasureRate(IQueueWriter writer, IQueueReader reader, long count)
    {
        Send(writer, -count);
        Expect(reader, 0);
        var start = Stopwatch.GetTimestamp();
        for (var i = 1L; i < count; i++)
        {
            Expect(reader, i);
        }

        return (count - 1) / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static void Send(IQueueWriter writer, long number)
    {
        Span<byte> message = stackalloc byte[MessageBytes];
        message.Clear();
        MemoryMarshal.Write(message, number);
        writer.Send(message);
    }

    private static void Expect(IQueueReader reader, long number)
    {
        var received = reader.Receive();
        if (received != number)
        {
            throw new InvalidOperationException($"Message {received} was received in place of {number}.");
        }
    }

    private static double Nanoseconds(long ticks) => Math.Round(ticks * 1e9 / Stopwatch.Frequency);
}
