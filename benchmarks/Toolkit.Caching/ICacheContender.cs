namespace BufferedMessages.CacheBenchmarks;

/// <summary>A cache that is measured.</summary>
internal interface ICacheContender : IDisposable
{
    string Name { get; }

    ICacheSession NewSession();
}
