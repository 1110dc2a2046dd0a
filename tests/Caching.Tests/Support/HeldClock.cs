namespace BufferedMessages.Caching.Tests;

/// <summary>A clock that holds the thread that makes changes for other processes, until it is released.</summary>
internal sealed class HeldClock : TimeProvider, IDisposable
{
    private readonly ManualResetEventSlim _isHeld = new();
    private readonly ManualResetEventSlim _isReleased = new();

    public override DateTimeOffset GetUtcNow()
    {
        if (Thread.CurrentThread.Name == "MessageCache changes")
        {
            _isHeld.Set();
            _isReleased.Wait();
        }

        return base.GetUtcNow();
    }

    public void AwaitHeld() => Assert.True(_isHeld.Wait(TimeSpan.FromSeconds(60)), "The owner makes no change.");

    public void Release() => _isReleased.Set();

    public void Dispose()
    {
        _isHeld.Dispose();
        _isReleased.Dispose();
    }
}
