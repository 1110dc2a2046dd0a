namespace BufferedMessages.Caching;

/// <summary>An entry that is known to be of a key, because its record was read under a lease that is still held, or by its note. The default value is none.</summary>
/// <param name="Identity">The word of the entry, without flags.</param>
/// <param name="RecordBytes">The bytes of its record.</param>
/// <param name="Sequence">The sequence number of its record, or the last one of its block.</param>
internal readonly record struct KnownEntry(ulong Identity, long RecordBytes, ulong Sequence)
{
    public static KnownEntry Of(in PinnedRecord pinned) => Of(pinned.Word, pinned.Record);

    public static KnownEntry Of(ulong word, CacheRecord record) => new(IndexWord.Identity(word), record.Bytes, record.Sequence);

    /// <summary>Determines whether a word of the index is the entry.</summary>
    public bool Is(ulong word) => Identity != IndexWord.Empty && IndexWord.Identity(word) == Identity;
}
