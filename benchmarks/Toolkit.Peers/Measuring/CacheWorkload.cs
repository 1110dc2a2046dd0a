using BufferedMessages.CacheBenchmarks;

namespace BufferedMessages.Peers;

/// <summary>Reads and writes of caches that fit into their memory, as Toolkit.Caching measures them.</summary>
internal static class CacheWorkload
{
    private const int Keys = 100_000;
    private const int ValueBytes = 100;
    private const double DataPerMemory = 0.5;
    private static readonly TimeSpan Time = TimeSpan.FromSeconds(1);

    public static IReadOnlyList<PeerFigure> Run(string directory, IEnumerable<ICachePeer> peers)
    {
        var keys = KeySequence.Make(KeySequence.Zipf, Keys, length: 1_000_000, seed: 7);
        (string Version, Func<CacheSetting, ICacheContender> Open)[] all =
        [
            (PeerFigure.VersionOf(typeof(Caching.MessageCache).Assembly), static setting => new BufferedContender(setting)),
            (PeerFigure.VersionOf(typeof(FASTER.core.Devices).Assembly), static setting => new FasterContender(setting)),
            (PeerFigure.VersionOf(typeof(BitFaster.Caching.ICache<,>).Assembly), static setting => new BitFasterContender(setting)),
            (PeerFigure.VersionOf(typeof(Microsoft.Extensions.Caching.Memory.MemoryCache).Assembly), static _ => new MemoryContender()),
            .. peers.Select(static peer => (PeerFigure.VersionOf(peer.Library), (Func<CacheSetting, ICacheContender>)peer.Open)),
        ];
        var figures = new List<PeerFigure>();
        foreach (var (version, open) in all)
        {
            using var contender = open(new CacheSetting(Path.Combine(directory, $"cache-{figures.Count}"), Keys, ValueBytes, DataPerMemory));
            CacheMeasurement.WriteAll(contender, KeySequence.InOrder(Keys), ValueBytes);

            // FASTER's assembly does not know the version of its package.
            var name = contender.Name.Split(' ');
            foreach (var operation in (string[])[CacheMeasurement.Read, CacheMeasurement.Write])
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                var figure = CacheMeasurement.Run(contender, operation, [keys], ValueBytes, Time);
                if (figure.Misses != 0)
                {
                    throw new InvalidOperationException($"{contender.Name} has lost entries, though all fit into its memory.");
                }

                figures.Add(new PeerFigure
                {
                    Workload = $"cache, {operation}",
                    Library = name[0],
                    Version = name is [_, var package] ? package + version[version.IndexOf('+', StringComparison.Ordinal)..] : version,
                    PerSecond = Math.Round(figure.OperationsPerSecond),
                    AllocatedBytes = figure.AllocatedBytes,
                });
            }
        }

        return figures;
    }
}
