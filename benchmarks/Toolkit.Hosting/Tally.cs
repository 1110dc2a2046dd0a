using System.Diagnostics;

namespace BufferedMessages.HostingBenchmarks;

/// <summary>Counts the messages of a round, and times them from the first to the last.</summary>
internal sealed class Tally(long messages)
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _count;
    private long _sum;
    private long _start;
    private TimeSpan _time;

    public Task End => _end.Task;

    public double PerSecond => (messages - 1) / _time.TotalSeconds;

    /// <summary>Whether all messages were read as they were published.</summary>
    public bool IsWhole => _sum == messages * (messages - 1) / 2;

    public void Count(long id)
    {
        _sum += id;
        if (++_count == 1)
        {
            _start = Stopwatch.GetTimestamp();
        }

        if (_count == messages)
        {
            _time = Stopwatch.GetElapsedTime(_start);
            _end.SetResult();
        }
    }
}
