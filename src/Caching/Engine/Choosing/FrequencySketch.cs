using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>
/// A count-min sketch of how often keys were asked for, including those that are not in the cache: four bits for each counter, and four counters for each key. Counts are too large for keys that
/// share all their counters with others. Thread-safe, without a lock: if two threads count at the same time, one count may be lost.
/// </summary>
internal sealed class FrequencySketch
{
    private const int Rows = 4;
    private const int CounterBits = 4;
    private const int CountersPerWord = 64 / CounterBits;
    private const int MinEntries = 64;

    // The longest array whose length is a power of two. With more entries, each counter serves more keys.
    private const ulong MaxWords = 1UL << 30;
    private const ulong Halved = 0x7777777777777777;

    private static readonly ulong[] Seeds = [0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93];

    private readonly ulong[] _words;
    private readonly int _shift;

    /// <param name="entries">The number of entries of the cache; there are 16 counters for each.</param>
    public FrequencySketch(long entries)
    {
        Entries = entries;
        _words = new ulong[Math.Min(BitOperations.RoundUpToPowerOf2((ulong)Math.Max(entries, MinEntries)), MaxWords)];
        _shift = 64 - BitOperations.Log2((ulong)_words.Length * CountersPerWord);
    }

    /// <summary>Gets the number of entries for which it was created.</summary>
    public long Entries { get; }

    /// <summary>Estimates how often a key was asked for, at most <see cref="IndexCell.MaxReads"/>.</summary>
    public int Estimate(ulong hash)
    {
        var least = IndexCell.MaxReads;
        for (var row = 0; row < Rows; row++)
        {
            least = Math.Min(least, CountAt(Position(hash, row)));
        }

        return least;
    }

    /// <summary>Counts that a key was asked for, and returns the new estimate.</summary>
    public int Count(ulong hash)
    {
        var next = Math.Min(Estimate(hash) + 1, IndexCell.MaxReads);
        Raise(hash, next);
        return next;
    }

    /// <summary>Raises the estimate of a key.</summary>
    public void Raise(ulong hash, int count)
    {
        for (var row = 0; row < Rows; row++)
        {
            var position = Position(hash, row);
            ref var word = ref _words[position / CountersPerWord];

            // Read once: if another thread raised the count in between, the sum would change the next counter too.
            var read = Volatile.Read(ref word);
            var known = CountIn(read, position);
            if (known < count)
            {
                word = read + ((ulong)(count - known) << ShiftOf(position));
            }
        }
    }

    /// <summary>Halves all counts.</summary>
    public void Halve()
    {
        foreach (ref var word in _words.AsSpan())
        {
            word = (word >> 1) & Halved;
        }
    }

    private ulong Position(ulong hash, int row) => ((hash ^ (hash >> 29)) * Seeds[row]) >> _shift;

    private int CountAt(ulong position) => CountIn(_words[position / CountersPerWord], position);

    private static int CountIn(ulong word, ulong position) => (int)(word >> ShiftOf(position)) & IndexCell.MaxReads;

    private static int ShiftOf(ulong position) => (int)(position % CountersPerWord) * CounterBits;
}
