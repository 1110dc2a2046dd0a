using System.Numerics;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>What all contenders are given.</summary>
/// <param name="Directory">Where files may be.</param>
/// <param name="Keys">How many entries.</param>
/// <param name="ValueBytes">Bytes of each value.</param>
/// <param name="Ratio">Bytes of all values, divided by the memory budget before it is rounded.</param>
internal sealed record CacheSetting(string Directory, int Keys, int ValueBytes, double Ratio)
{
    public long DataBytes => (long)Keys * ValueBytes;

    /// <summary>Gets the memory of each contender: the next power of two, because the log of FASTER needs one.</summary>
    public long MemoryBytes => (long)BitOperations.RoundUpToPowerOf2((ulong)(DataBytes / Ratio));
}
