using System.Collections.Concurrent;

namespace BufferedMessages.Caching;

/// <summary>
/// Small numbers for the threads of this process, so that what belongs to a thread alone can be an array. A thread gets one when it asks first, and it is given to another one
/// when the thread is gone.
/// </summary>
internal sealed class ThreadNumber
{
    /// <summary>How many threads can have one at the same time.</summary>
    public const int Max = 256;

    /// <summary>What a thread without a number has.</summary>
    public const int None = -1;

    private static readonly ConcurrentQueue<int> Free = new(Enumerable.Range(0, Max));

    // One more than the number; 0 as long as there is none.
    [ThreadStatic]
    private static int _current;

    // Lives as long as its thread.
    [ThreadStatic]
    private static ThreadNumber? _holder;

    private readonly int _number;

    private ThreadNumber(int number) => _number = number;

    ~ThreadNumber() => Free.Enqueue(_number);

    /// <summary>The number of the calling thread, or <see cref="None"/>.</summary>
    public static int Current => _current - 1;

    /// <summary>Gives the calling thread, which has none, a number.</summary>
    /// <returns><see cref="None"/> when all are given out.</returns>
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
