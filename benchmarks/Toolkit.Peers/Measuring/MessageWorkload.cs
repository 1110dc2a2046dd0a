using System.Text.Json;
using Google.Protobuf;
using Toolkit.Benchmarks.Messages.Container;
using Toolkit.Benchmarks.Streams;
using Toolkit.Benchmarks.Turns;

namespace BufferedMessages.Peers;

/// <summary>The operations of Toolkit.Benchmarks that peers are known by: one message, and one stream.</summary>
internal static class MessageWorkload
{
    private const int StreamBytes = 64 * 1024;

    /// <summary>Writes and reads the container of 30 entries.</summary>
    /// <exception cref="InvalidOperationException">A peer reads other values.</exception>
    public static IReadOnlyList<PeerFigure> RunMessages(IEnumerable<IMessagePeer> peers)
    {
        using var container = new ContainerBenchmarks();
        container.Setup();
        var others = peers.ToList();
        foreach (var peer in others)
        {
            if (peer.Read() != container.Read_BufferedMessages())
            {
                throw new InvalidOperationException($"{peer.Name} reads different values.");
            }
        }

        var ours = PeerFigure.VersionOf(typeof(BufferedMessage).Assembly);
        var json = PeerFigure.VersionOf(typeof(JsonSerializer).Assembly);
        var protobuf = PeerFigure.VersionOf(typeof(IMessage).Assembly);
        return
        [
            .. Measure("message, write",
            [
                ("BufferedMessages", ours, () => container.Write_BufferedMessages()),
                ("Google.Protobuf", protobuf, () => container.Write_Protobuf()),
                ("System.Text.Json", json, () => container.Write_SystemTextJson()),
                .. others.Select(static peer => (peer.Name, PeerFigure.VersionOf(peer.Library), (Func<long>)(() => peer.Write()))),
            ]),
            .. Measure("message, read",
            [
                ("BufferedMessages", ours, container.Read_BufferedMessages),
                ("Google.Protobuf", protobuf, container.Read_Protobuf),
                ("System.Text.Json", json, container.Read_SystemTextJson),
                .. others.Select(static peer => (peer.Name, PeerFigure.VersionOf(peer.Library), (Func<long>)peer.Read)),
            ]),
        ];
    }

    /// <summary>Writes a stream of 64 KB and gives it back.</summary>
    public static IReadOnlyList<PeerFigure> RunStreams()
    {
        var streams = new StreamBenchmarks { Bytes = StreamBytes };
        streams.Setup();
        return Measure("stream of 64 KB",
        [
            ("BufferedMessages", PeerFigure.VersionOf(typeof(BufferedMessage).Assembly), streams.Write_BufferedMessages),
            ("RecyclableMemoryStream", PeerFigure.VersionOf(typeof(Microsoft.IO.RecyclableMemoryStream).Assembly), streams.Write_RecyclableMemoryStream),
            ("MemoryStream", PeerFigure.VersionOf(typeof(MemoryStream).Assembly), streams.Write_MemoryStream),
        ]);
    }

    private static IReadOnlyList<PeerFigure> Measure(string workload, IReadOnlyList<(string Library, string Version, Func<long> Operation)> peers)
    {
        var figures = OperationTurns.Run([.. peers.Select(static peer => RepeatedOperation.Of(peer.Operation))], RunnerCommand.Stopping);
        return
        [
            .. peers.Zip(figures, (peer, figure) => new PeerFigure
            {
                Workload = workload,
                Library = peer.Library,
                Version = peer.Version,
                Median = Math.Round(figure.Nanoseconds, 1),
                AllocatedBytes = Math.Round(figure.AllocatedBytes, 1),
            }),
        ];
    }
}
