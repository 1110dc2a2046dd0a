namespace BufferedMessages.Caching;

/// <summary>The pauses of a thread that waits for another process to create a value: short ones first.</summary>
internal struct FlightWait
{
    private const int LongestMilliseconds = 8;

    private int _milliseconds;

    public TimeSpan Next()
    {
        _milliseconds = Math.Clamp(_milliseconds * 2, 1, LongestMilliseconds);
        return TimeSpan.FromMilliseconds(_milliseconds);
    }
}
