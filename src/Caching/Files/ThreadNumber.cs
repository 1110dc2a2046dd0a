namespace BufferedMessages.Caching;

/// <summary>
/// Small numbers for the threads of this process, which index arrays of per-thread data. A thread gets a number when it first asks for one: the smallest that no living thread has. So there
/// are no more numbers in use than threads have lived at the same time, however many come and go.
/// </summary>
internal static class ThreadNumber
{
    /// <summary>The number of threads that can have a number at the same time.</summary>
    public const int Max = 256;

    /// <summary>The value of a thread without a number.</summary>
    public const int None = -1;

    /// <summary>A thread that has found all numbers in use looks for one again when it has asked as often as this.</summary>
    public const int AsksPerLook = 1_024;

    // A thread that lives is not collected.
    private static readonly WeakReference<Thread>?[] Holders = new WeakReference<Thread>?[Max];

    // One more than the number; 0 while there is none.
    [ThreadStatic]
    private static int _current;

    [ThreadStatic]
    private static uint _asks;

    /// <summary>Gets the number of the calling thread, or <see cref="None"/>.</summary>
    public static int Current => _current - 1;

    /// <summary>Assigns a number to the calling thread, which has none. Most threads ask once; one without a number asks again with each read, and a search takes a lock.</summary>
    /// <returns><see cref="None"/> when all numbers are in use, or were at the last search.</returns>
    public static int Assign()
    {
        if (_asks++ % AsksPerLook != 0)
        {
            return None;
        }

        lock (Holders)
        {
            var number = Array.FindIndex(Holders, static holder => holder is null || !holder.TryGetTarget(out var thread) || !thread.IsAlive);
            if (number >= 0)
            {
                Holders[number] = new WeakReference<Thread>(Thread.CurrentThread);
                _current = number + 1;
            }

            return number;
        }
    }
}
