namespace BufferedMessages.Peers;

/// <summary>A library that is measured when its assemblies are in the folder that the command line names.</summary>
/// <param name="Name">Its name in the results.</param>
/// <param name="Files">The file that the adapter references, and the source generator after it.</param>
internal sealed record Adapter(string Name, params string[] Files)
{
    public static IReadOnlyList<Adapter> All { get; } =
    [
        new("NativeBuffering", "NativeBuffering.dll", "NativeBuffering.Generator.dll"),
        new("MemoryPack", "MemoryPack.Core.dll", "MemoryPack.Generator.dll"),
        new("MappedFileQueues", "MappedFileQueues.dll"),
        new("MappedFileQueues.Stream", "MappedFileQueues.Stream.dll"),
        new("Interprocess", "Cloudtoid.Interprocess.dll"),
        new("FasterKvCache", "FasterKv.Cache.Core.dll"),
    ];

    /// <summary>The file of its source among the resources of this program.</summary>
    public string Source => $"{Name.Replace(".", "", StringComparison.Ordinal)}Peer.cs";
}
