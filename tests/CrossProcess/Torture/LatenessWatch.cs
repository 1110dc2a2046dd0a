using System.Diagnostics;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>
/// Measures how busy the machine is: a thread sleeps for a few milliseconds again and again, and notes how much later it runs. What a process
/// waited for came late for the same reason, up to that.
/// </summary>
internal sealed class LatenessWatch
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    private long _tick = Stopwatch.GetTimestamp();
    private long _lateness;

    public LatenessWatch() => new Thread(Watch) { IsBackground = true }.Start();

    /// <summary>The worst since the last restart.</summary>
    public TimeSpan Lateness
    {
        get
        {
            var now = Stopwatch.GetElapsedTime(Volatile.Read(ref _tick)) - Pause;
            var past = TimeSpan.FromTicks(Volatile.Read(ref _lateness));
            return now > past ? now : past;
        }
    }

    public void Restart() => Volatile.Write(ref _lateness, 0);

    private void Watch()
    {
        while (true)
        {
            Thread.Sleep(Pause);
            var late = Stopwatch.GetElapsedTime(_tick) - Pause;
            Volatile.Write(ref _tick, Stopwatch.GetTimestamp());
            if (late.Ticks > Volatile.Read(ref _lateness))
            {
                Volatile.Write(ref _lateness, late.Ticks);
            }
        }
    }
}
