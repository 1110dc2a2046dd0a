namespace BufferedMessages.Caching;

/// <summary>A change whose answer a thread waits for.</summary>
internal sealed class PendingChange : IDisposable
{
    private readonly ManualResetEventSlim _isAnswered = new();
    private ChangeAnswer _answer;

    /// <summary>Waits for the answer.</summary>
    public bool TryWait(TimeSpan timeout, out ChangeAnswer answer)
    {
        var isAnswered = _isAnswered.Wait(timeout);
        answer = _answer;
        return isAnswered;
    }

    public void Answer(in ChangeAnswer answer)
    {
        _answer = answer;
        _isAnswered.Set();
    }

    public void Dispose() => _isAnswered.Dispose();
}
