namespace BufferedMessages.Caching;

/// <summary>An entry that is known to be of a key, because its record was read under a lease that is still held. The default value is none.</summary>
/// <param name="Identity">The word of the entry, without flags.</param>
/// <param name="RecordWord">The state word of its record.</param>
/// <param name="Sequence">The sequence number of its record.</param>
internal readonly record struct KnownEntry(ulong Identity, ulong RecordWord, ulong Sequence)
{
    public static KnownEntry Of(in PinnedRecord pinned) => Of(pinned.Word, pinned.Record);

    public static KnownEntry Of(ulong word, CacheRecord record) => new(IndexWord.Identity(word), record.Word, record.Sequence);

    /// <summary>Says whether a word of the index is the entry.</summary>
    public bool Is(ulong word) => Identity != IndexWord.Empty && IndexWord.Identity(word) == Identity;
}
