namespace BufferedMessages.Samples.Caching;

/// <summary>
/// Ranks with the usual popularity: the second is drawn about half as often as the first, the tenth a tenth as often. A rank is found by bisection of the sums of 1/(rank^0.99).
/// </summary>
internal sealed class ZipfRanks
{
    private const double Exponent = 0.99;

    private readonly double[] _sums;
    private readonly Random _random;

    public ZipfRanks(int count, int seed)
    {
        _random = new Random(seed);
        _sums = new double[count];
        var sum = 0.0;
        for (var i = 0; i < count; i++)
        {
            sum += Math.Pow(i + 1, -Exponent);
            _sums[i] = sum;
        }
    }

    public int Next()
    {
        var found = Array.BinarySearch(_sums, _random.NextDouble() * _sums[^1]);
        return Math.Min(found < 0 ? ~found : found, _sums.Length - 1);
    }
}
