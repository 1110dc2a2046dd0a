namespace BufferedMessages.Tool;

/// <summary>The rates of the last minute. Serves one thread at a time.</summary>
internal sealed class RateHistory
{
    private static readonly TimeSpan Length = TimeSpan.FromMinutes(1);

    private readonly Queue<(TimeSpan Time, double Rate)> _samples = new();

    /// <summary>Adds a rate, and forgets those that are older than a minute.</summary>
    /// <param name="time">The time of the sample, on a clock that only runs forward.</param>
    /// <param name="rate">The rate.</param>
    public void Add(TimeSpan time, double rate)
    {
        _samples.Enqueue((time, rate));
        while (_samples.Peek().Time <= time - Length)
        {
            _samples.Dequeue();
        }
    }

    /// <summary>Draws the minute.</summary>
    /// <param name="now">The time.</param>
    /// <param name="width">The number of characters, each for the same part of the minute.</param>
    public string Draw(TimeSpan now, int width)
    {
        var bars = _samples.GroupBy(sample => (int)((now - sample.Time) / Length * width)).ToDictionary(static bar => bar.Key, static bar => bar.Max(static sample => sample.Rate));
        var oldest = bars.Count == 0 ? -1 : bars.Keys.Where(bar => bar < width).DefaultIfEmpty(-1).Max();

        // A part without a sample, because samples are rarer, is as the one after it.
        var values = new List<double>();
        var last = 0.0;
        for (var bar = oldest; bar >= 0; bar--)
        {
            last = bars.GetValueOrDefault(bar, last);
            values.Add(last);
        }

        return Sparkline.Of(values, width);
    }
}
