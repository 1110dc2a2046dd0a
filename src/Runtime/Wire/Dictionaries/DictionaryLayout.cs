using System.Numerics;

namespace BufferedMessages.Wire;

/// <summary>The places of the parts of a dictionary.</summary>
internal static class DictionaryLayout
{
    /// <summary>Number of buckets; 0 if the entries are too few to need them.</summary>
    public static long BucketCount(uint count) => count <= WireFormat.MaxEntriesWithoutBuckets ? 0 : (long)BitOperations.RoundUpToPowerOf2((ulong)count);

    /// <summary>Offset of the keys from the start of the payload, after the header and the starts of the buckets.</summary>
    public static long KeysOffset(uint count)
    {
        var buckets = BucketCount(count);
        return buckets == 0
            ? WireFormat.DictionaryHeaderBytes
            : WireFormat.Align(WireFormat.DictionaryHeaderBytes + ((buckets + 1) * sizeof(uint)), WireFormat.WordBytes);
    }
}
