namespace BufferedMessages.Caching;

/// <summary>A counter for many threads: each increments a number in a line of the processor's cache that few others write.</summary>
internal sealed class StripedCounter
{
    private const int Stripes = 16;
    private const int Spacing = 16;

    private readonly long[] _counts = new long[(Stripes + 1) * Spacing];

    public long Sum
    {
        get
        {
            var sum = 0L;
            for (var i = 1; i <= Stripes; i++)
            {
                sum += Volatile.Read(ref _counts[i * Spacing]);
            }

            return sum;
        }
    }

    public void Increment() => Interlocked.Increment(ref _counts[((Environment.CurrentManagedThreadId % Stripes) + 1) * Spacing]);
}
