using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// An entry of the index.
/// <code>
/// bits 0-35 location: slot and offset in units of 16 bytes · bit 36 referenced · bit 37 checked · bits 38-63 tag: bits 10-35 of the hash
/// </code>
/// No record is at location 0, so 0 is an empty entry. Together with the lowest 10 bits of the bucket's number the tag gives 36 bits of the hash, so a larger
/// table is filled without reading the records.
/// </summary>
internal static class IndexWord
{
    public const ulong Empty = 0;

    /// <summary>The record was read since it was written, so it is carried over when its segment is recycled.</summary>
    public const ulong Referenced = 1UL << 36;

    /// <summary>The record's checksum was compared since the cache was opened.</summary>
    public const ulong Checked = 1UL << 37;

    /// <summary>The number of bits of the hash that every bucket number has.</summary>
    public const int BucketBits = 10;

    /// <summary>The number of bits of the hash that an entry and the number of its bucket tell: the lowest ones.</summary>
    public const int HashBits = 64 - TagShift + BucketBits;

    /// <summary>The logarithm of the bytes of a location's unit.</summary>
    public const int UnitShift = 4;

    /// <summary>The mask of the tag.</summary>
    public const ulong TagMask = ulong.MaxValue << TagShift;

    private const int TagShift = 38;
    private const ulong LocationMask = Referenced - 1;
    private const ulong Flags = Referenced | Checked;

    public static ulong Compose(ulong hash, long location, ulong flags)
    {
        Debug.Assert(location > 0 && (ulong)location <= LocationMask, "The location would be empty, or overwrite the flags.");
        return Tag(hash) | flags | (ulong)location;
    }

    public static long Location(ulong word) => (long)(word & LocationMask);

    /// <summary>Gets the word without the flags, which readers change.</summary>
    public static ulong Identity(ulong word) => word & ~Flags;

    /// <summary>Determines whether the word is an entry with the tag of a hash.</summary>
    public static bool HasTag(ulong word, ulong hash) => (word & TagMask) == Tag(hash) && word != Empty;

    /// <summary>Determines whether the word is an entry with the tag of a hash whose record was read before.</summary>
    public static bool IsKnown(ulong word, ulong hash) => (word & (TagMask | Flags)) == (Tag(hash) | Flags);

    /// <summary>Gets the tag of a hash, at its position in a word.</summary>
    public static ulong Tag(ulong hash) => (hash >> BucketBits) << TagShift;

    /// <summary>Gets the lowest <see cref="HashBits"/> bits of the hash of an entry in a bucket.</summary>
    public static ulong HashOf(ulong word, long bucket) => ((word >> TagShift) << BucketBits) | ((ulong)bucket & ((1UL << BucketBits) - 1));
}
