namespace BufferedMessages.Caching.Tests;

/// <summary>A clock that a test sets.</summary>
internal sealed class ManualClock : TimeProvider
{
    public DateTimeOffset Now { get; set; } = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    /// <summary>Gets or sets what each thread that asks for the time does first.</summary>
    public Action? Asked { get; set; }

    public override DateTimeOffset GetUtcNow()
    {
        Asked?.Invoke();
        return Now;
    }
}
