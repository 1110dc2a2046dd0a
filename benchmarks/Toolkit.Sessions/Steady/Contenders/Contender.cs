namespace BufferedMessages.Sessions;

/// <summary>One of the ways that a case measures in turns.</summary>
internal abstract class Contender(string name) : IDisposable
{
    public string Name => name;

    /// <summary>Runs rounds that are not counted.</summary>
    public abstract void Warm();

    /// <summary>Runs a round that counts.</summary>
    public abstract void Run();

    /// <summary>The medians of the rounds.</summary>
    public abstract SteadyResult Sum(string scenario);

    public abstract void Dispose();
}
