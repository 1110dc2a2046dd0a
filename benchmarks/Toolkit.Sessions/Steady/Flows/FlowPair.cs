using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>Two processes that serve one flow only, so that their code is compiled for it as a user's is: one publishes, the other reads.</summary>
internal sealed class FlowPair : IDisposable
{
    public const long PairOrder = 1;
    public const long ReadAloneOrder = 2;
    public const long PublishAloneOrder = 3;

    /// <summary>Loops are cut into calls, so that the compiler's second tier replaces them while they warm up.</summary>
    public const int BatchMessages = 10_000;

    /// <summary>A side alone works on parts of a lap, which fit into the ring with room to spare, whatever a record takes. Those of the first lap are not counted.</summary>
    public const long PartsOfLap = 3;

    /// <summary>Spins between two looks at a word on which the sides take turns.</summary>
    public const int SpinsPerLook = 20;

    private static long _round;

    private readonly SessionOptions _options;
    private readonly PeerProcess _writer;
    private readonly PeerProcess _reader;
    private bool _isDisposed;

    public FlowPair(SessionOptions options)
    {
        _options = options;
        _writer = PeerProcess.Start(FlowWriter.Role, options);
        _reader = PeerProcess.Start(FlowReader.Role, options);
    }

    /// <summary>Both at once; the time runs from the first publish to the last commit.</summary>
    /// <param name="lap">Messages that come before those that are counted.</param>
    /// <param name="messages">Messages to count.</param>
    public FlowFigure Run(long lap, long messages)
    {
        var round = CreateQueue();
        PeerProcess[] peers = [_reader, _writer];
        Array.ForEach(peers, peer => Prepare(peer, PairOrder, round, lap, messages));
        RunPart(lap);
        var figure = RunPart(messages);
        DeleteQueue(round);
        return figure;
    }

    /// <summary>The publisher alone: the reader gives up each part of a lap, unread, while the publisher does nothing.</summary>
    public FlowFigure RunPublisher(long messages)
    {
        var (lap, laps) = LapsOf(messages);
        var (published, _) = RunLaps(PublishAloneOrder, lap, laps);
        return new FlowFigure(laps * lap / Stopwatch.GetElapsedTime(0, published[0]).TotalSeconds, (double)published[1] / (laps * lap));
    }

    /// <summary>The reader alone: the messages are there, and the publisher does nothing while they are read.</summary>
    public FlowFigure RunReader(long messages)
    {
        var (lap, laps) = LapsOf(messages);
        var (_, read) = RunLaps(ReadAloneOrder, lap, laps);
        Require(read[1], laps * SumOf(lap));
        return new FlowFigure(laps * lap / Stopwatch.GetElapsedTime(0, read[0]).TotalSeconds, (double)read[2] / (laps * lap));
    }

    /// <summary>The first messages of the queue, with nothing before them.</summary>
    public FlowFigure RunFirst(long messages)
    {
        var round = CreateQueue();
        PeerProcess[] peers = [_reader, _writer];
        Array.ForEach(peers, peer => Prepare(peer, PairOrder, round, messages));
        var figure = RunPart(messages);
        DeleteQueue(round);
        return figure;
    }

    /// <summary>Ends the processes. The ways that share the pair may each do it.</summary>
    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        _writer.Dispose();
        _reader.Dispose();
    }

    private (long Lap, long Laps) LapsOf(long messages)
    {
        var lap = Math.Min(messages, _options.RingBytes / _options.RecordBytes / PartsOfLap);
        return (lap, messages / lap);
    }

    // The answers of both.
    private (long[] Published, long[] Read) RunLaps(long order, long lap, long laps)
    {
        var round = CreateQueue();
        PeerProcess[] peers = [_reader, _writer];
        Array.ForEach(peers, peer => Prepare(peer, order, round, lap, laps));
        Array.ForEach(peers, peer => peer.Order());
        var figures = (_writer.Hear(), _reader.Hear());
        DeleteQueue(round);
        return figures;
    }

    private static void Prepare(PeerProcess peer, params ReadOnlySpan<long> order)
    {
        peer.Order(order);
        peer.Hear();
    }

    private FlowFigure RunPart(long messages)
    {
        _reader.Order();
        _writer.Order();
        var published = _writer.Hear();
        var read = _reader.Hear();
        Require(read[2], SumOf(messages));
        return new FlowFigure(messages / Stopwatch.GetElapsedTime(published[0], read[0]).TotalSeconds, (double)(published[2] + read[1]) / messages);
    }

    private long CreateQueue()
    {
        var round = _round++;
        if (_options.Flow != Flow.Ring)
        {
            SessionDirectory.CreateQueue(_options, round);
        }

        return round;
    }

    private void DeleteQueue(long round)
    {
        if (_options.Flow != Flow.Ring)
        {
            SessionDirectory.DeleteQueue(_options, round);
        }
    }

    private static long SumOf(long messages) => messages * (messages - 1) / 2;

    private void Require(long sum, long expected)
    {
        if (sum != expected)
        {
            throw new InvalidOperationException($"Messages of the flow '{_options.Flow}' are missing, or are not what was published.");
        }
    }
}

/// <param name="Rate">Messages per second.</param>
/// <param name="AllocatedBytes">Managed bytes per message, by both sides, or by the one that is measured alone.</param>
internal readonly record struct FlowFigure(double Rate, double AllocatedBytes);
