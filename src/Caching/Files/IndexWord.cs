namespace BufferedMessages.Caching;

/// <summary>
/// An entry of the index.
/// <code>
/// bits 0-35 location: slot and offset in units of 16 bytes · bit 36 referenced · bit 37 checked · bits 38-63 tag: bits 10-35 of the hash
/// </code>
/// No record is at location 0, so 0 is an empty entry. Together with the lowest 10 bits of the bucket's number the tag gives 36 bits of the hash: a larger
/// table is filled without looking at the records.
/// </summary>
internal static class IndexWord
{
    public const ulong Empty = 0;

    /// <summary>The record was read since it was written: it is worth keeping.</summary>
    public const ulong Referenced = 1UL << 36;

    /// <summary>The record's checksum was compared since the cache was opened.</summary>
    public const ulong Checked = 1UL << 37;

    /// <summary>The bits of the hash that every bucket number has.</summary>
    public const int BucketBits = 10;

    /// <summary>Bytes of a location's unit, as a shift.</summary>
    public const int UnitShift = 4;

    /// <summary>The bits of the tag.</summary>
    public const ulong TagMask = ulong.MaxValue << TagShift;

    private const int TagShift = 38;
    private const ulong LocationMask = Referenced - 1;
    private const ulong Flags = Referenced | Checked;

    public static ulong Compose(ulong hash, long location, ulong flags) => Tag(hash) | flags | (ulong)location;

    public static long Location(ulong word) => (long)(word & LocationMask);

    /// <summary>The word without what readers change.</summary>
    public static ulong Identity(ulong word) => word & ~Flags;

    /// <summary>The word is an entry with the tag of a hash.</summary>
    public static bool HasTag(ulong word, ulong hash) => (word & TagMask) == Tag(hash) && word != Empty;

    /// <summary>The word is an entry with the tag of a hash whose record was read before.</summary>
    public static bool IsKnown(ulong word, ulong hash) => (word & (TagMask | Flags)) == (Tag(hash) | Flags);

    /// <summary>The tag of a hash, where a word has it.</summary>
    public static ulong Tag(ulong hash) => (hash >> BucketBits) << TagShift;

    /// <summary>The lowest 36 bits of the hash.</summary>
    public static ulong HashOf(ulong word, long bucket) => ((word >> TagShift) << BucketBits) | ((ulong)bucket & ((1UL << BucketBits) - 1));
}
