using System.Diagnostics;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>
/// Measures how long it takes after a death until every consumer name gets messages again. It measures only while somebody alive and not
/// paused publishes and reads each name, since otherwise there is a reason to wait. The others may wait for a process that the system does not let run, so
/// each process must have run for a while before they are late.
/// </summary>
internal sealed class ResumptionWatch(RoundNotes notes, int names)
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    /// <summary>The time between two beats of a process.</summary>
    public static readonly TimeSpan Beat = TimeSpan.FromMilliseconds(10);

    // As many as half of the limit has, if nothing holds a process up. One that does not beat at all is a fault too.
    private const int FewestBeats = 100;
    private static readonly TimeSpan LongestWithoutBeats = TimeSpan.FromSeconds(60);

    private readonly LatenessWatch _lateness = new();
    private readonly Dictionary<int, long> _beatsBefore = [];
    private readonly long[] _before = new long[names];
    private bool _isPending;
    private bool _isMeasuring;
    private long _start;

    /// <summary>A death was waited out, or none is measured.</summary>
    public bool IsIdle => !_isPending;

    /// <summary>The time of the last resumption; null until the next one.</summary>
    public TimeSpan? Taken { get; private set; }

    /// <summary>In the last measure, every part was played by somebody who was at work before.</summary>
    public bool AreAtWork { get; private set; }

    /// <summary>How late this process ran meanwhile.</summary>
    public TimeSpan Lateness => _lateness.Lateness;

    /// <summary>A process died just now.</summary>
    public void OnDeath()
    {
        _isPending = true;
        _isMeasuring = false;
    }

    /// <summary>Looks; called every millisecond.</summary>
    /// <param name="canGoOn">Nobody is paused, and every part is played by somebody.</param>
    /// <param name="areAtWork">The same, by somebody who was at work before.</param>
    /// <param name="workers">The places of all processes in the notes.</param>
    /// <returns>True when the others did not go on in time.</returns>
    public bool Look(bool canGoOn, bool areAtWork, IEnumerable<int> workers)
    {
        Taken = null;
        if (!_isPending || !canGoOn)
        {
            _isMeasuring = false;
            return false;
        }

        if (!_isMeasuring)
        {
            _isMeasuring = true;
            AreAtWork = areAtWork;
            _lateness.Restart();
            _start = Stopwatch.GetTimestamp();
            for (var name = 0; name < names; name++)
            {
                _before[name] = Volatile.Read(ref notes.Head.Delivered[name]);
            }

            _beatsBefore.Clear();
            foreach (var worker in workers)
            {
                _beatsBefore[worker] = BeatsOf(worker);
            }

            return false;
        }

        var time = Stopwatch.GetElapsedTime(_start);
        var hasResumed = true;
        for (var name = 0; name < names; name++)
        {
            hasResumed &= Volatile.Read(ref notes.Head.Delivered[name]) > _before[name];
        }

        var isOver = time > Limit + Lateness && (time > LongestWithoutBeats || workers.All(worker => BeatsOf(worker) - _beatsBefore.GetValueOrDefault(worker) >= FewestBeats));
        if (hasResumed || isOver)
        {
            _isPending = _isMeasuring = false;
            Taken = time;
        }

        return !hasResumed && isOver;
    }

    private long BeatsOf(int worker) => Volatile.Read(ref notes.WorkerAt(worker).Beats);
}
