namespace BufferedMessages.Caching;

/// <summary>The locks under which the index is changed: one for each of 256 groups of hashes.</summary>
internal sealed class KeyLocks
{
    private const int Count = 256;

    private readonly Lock[] _locks = [.. Enumerable.Range(0, Count).Select(static _ => new Lock())];

    public Lock Of(ulong hash) => _locks[hash % Count];

    public void EnterAll()
    {
        foreach (var gate in _locks)
        {
            gate.Enter();
        }
    }

    public void ExitAll()
    {
        foreach (var gate in _locks)
        {
            gate.Exit();
        }
    }
}
