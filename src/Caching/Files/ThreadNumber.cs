using System.Collections.Concurrent;

namespace BufferedMessages.Caching;

/// <summary>
/// Small numbers for the threads of this process, which index arrays of per-thread data. A thread gets a number when it first asks for one; when the thread has ended, another
/// thread can get the number.
/// </summary>
internal sealed class ThreadNumber
{
    /// <summary>The number of threads that can have a number at the same time.</summary>
    public const int Max = 256;

    /// <summary>The value of a thread without a number.</summary>
    public const int None = -1;

    private static readonly ConcurrentQueue<int> Free = new(Enumerable.Range(0, Max));

    // One more than the number; 0 while there is none.
    [ThreadStatic]
    private static int _current;

    // Its finalizer runs after the thread has ended.
    [ThreadStatic]
    private static ThreadNumber? _holder;

    private readonly int _number;

    private ThreadNumber(int number) => _number = number;

    ~ThreadNumber() => Free.Enqueue(_number);

    /// <summary>Gets the number of the calling thread, or <see cref="None"/>.</summary>
    public static int Current => _current - 1;

    /// <summary>Assigns a number to the calling thread, which has none.</summary>
    /// <returns><see cref="None"/> when all numbers are in use.</returns>
    public static int Assign()
    {
        if (!Free.TryDequeue(out var number))
        {
            return None;
        }

        _holder = new ThreadNumber(number);
        _current = number + 1;
        return number;
    }
}
