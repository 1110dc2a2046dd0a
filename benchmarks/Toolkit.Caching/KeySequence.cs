namespace BufferedMessages.CacheBenchmarks;

/// <summary>The keys that a thread asks for, made beforehand. The same for all contenders.</summary>
internal static class KeySequence
{
    public const string Uniform = "uniform";
    public const string Zipf = "zipf 0.99";

    private const double Skew = 0.99;

    /// <summary>Makes a sequence.</summary>
    /// <param name="distribution">Its name.</param>
    /// <param name="keys">How many keys there are.</param>
    /// <param name="length">How many are asked for.</param>
    /// <param name="seed">Another for each thread.</param>
    public static int[] Make(string distribution, int keys, int length, int seed)
    {
        var random = new Random(seed);
        var sequence = new int[length];
        if (distribution == Uniform)
        {
            for (var i = 0; i < length; i++)
            {
                sequence[i] = random.Next(keys);
            }

            return sequence;
        }

        var ranks = CumulativeRanks(keys);
        var names = InOrder(keys);
        new Random(1).Shuffle(names);
        for (var i = 0; i < length; i++)
        {
            var rank = Array.BinarySearch(ranks, random.NextDouble() * ranks[^1]);
            sequence[i] = names[Math.Min(rank < 0 ? ~rank : rank, keys - 1)];
        }

        return sequence;
    }

    /// <summary>Makes the sequence that has each key once.</summary>
    public static int[] InOrder(int keys) => [.. Enumerable.Range(0, keys)];

    private static double[] CumulativeRanks(int keys)
    {
        var sums = new double[keys];
        var sum = 0.0;
        for (var i = 0; i < keys; i++)
        {
            sum += Math.Pow(i + 1, -Skew);
            sums[i] = sum;
        }

        return sums;
    }
}
