using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The index: a mapped file of buckets of 64 bytes, seven entries and a link each. A full bucket links to one of the overflow buckets after the buckets.
/// Readers take no lock; a writer holds the lock of the hash. The file is unmapped when nothing refers to the table, since readers may still use a table that was replaced.
/// <code>
///    0  header: magic · buckets · overflow buckets · overflow buckets in use
///   64  buckets, a power of two: 7 x u64 entry, see <see cref="IndexWord"/> · u32 number of an overflow bucket, from 1 on · 7 x 4 bits reads of the entries
///       overflow buckets
/// </code>
/// </summary>
internal sealed unsafe class IndexTable
{
    /// <summary>Entries in a bucket, and the position of its link.</summary>
    public const int Entries = 7;

    private const ulong FileMagic = 0x31584449_43534D42; // "BMSCIDX1"
    private const long MinBuckets = 1L << IndexWord.BucketBits;
    private const uint EntriesMask = (1u << Entries) - 1;
    private const int EntriesPerBucket = 5;
    private const int BucketsPerOverflow = 4;
    private const uint HalvedReads = 0x07777777;

    private readonly MappedFile _file;
    private readonly ulong* _buckets;
    private readonly ulong* _overflow;
    private readonly ulong _mask;
    private readonly long _overflowCount;
    private readonly long* _overflowUsed;

    // SAFETY: this object keeps the file mapped; TryOpen has checked that header, buckets and overflow buckets fill it exactly.
    private IndexTable(MappedFile file, long generation, long buckets, long overflow)
    {
        Debug.Assert(file.Length == Bucket.Bytes * (1 + buckets + overflow), "A bucket would be outside the file.");
        _file = file;
        Generation = generation;
        Buckets = buckets;
        _mask = (ulong)buckets - 1;
        _overflowCount = overflow;
        _overflowUsed = (long*)file.Start + 3;
        _buckets = (ulong*)(file.Start + Bucket.Bytes);
        _overflow = _buckets + (buckets * Bucket.Words);
    }

    /// <summary>Gets the number of the file.</summary>
    public long Generation { get; }

    /// <summary>Gets the number of buckets, overflow buckets not included.</summary>
    public long Buckets { get; }

    /// <summary>Gets the number of overflow buckets, in use or not.</summary>
    public long OverflowBuckets => _overflowCount;

    /// <summary>Gets the number of entries above which the table should be replaced by a larger one.</summary>
    public long Comfortable => Buckets * EntriesPerBucket;

    /// <summary>Gets the bytes of the file.</summary>
    public long Bytes => _file.Length;

    /// <summary>Gets the number of words in all buckets.</summary>
    public long Words => (Buckets + _overflowCount) * Bucket.Words;

    /// <summary>Calculates the number of buckets for a number of entries.</summary>
    public static long BucketsFor(long entries) =>
        Math.Max(MinBuckets, (long)BitOperations.RoundUpToPowerOf2((ulong)((entries / EntriesPerBucket) + 1)));

    /// <summary>Creates an empty table.</summary>
    /// <exception cref="DiskFullException">There is no room.</exception>
    // SAFETY: the new file is mapped during the call, and its header is within its first bucket.
    public static IndexTable Create(string directory, long generation, long buckets, FilePermissions permissions)
    {
        Debug.Assert(buckets >= MinBuckets && BitOperations.IsPow2(buckets), "A hash selects a bucket by its lowest bits.");
        var path = CacheFiles.Index(directory, generation);
        CacheFiles.TryDelete(path);
        var overflow = buckets / BucketsPerOverflow;
        MappedFile.Create(
            path,
            Bucket.Bytes * (1 + buckets + overflow),
            permissions,
            CacheFiles.UnfinishedSuffix,
            file =>
            {
                HugePages.Prefer(file);
                var header = (ulong*)file.Start;
                header[0] = FileMagic;
                header[1] = (ulong)buckets;
                header[2] = (ulong)overflow;
            },
            waitsForHugePages: true);
        return TryOpen(directory, generation, FileAccess.ReadWrite, out var fault) ?? throw new IOException($"'{path}' could not be opened after it was created: {fault}.");
    }

    /// <summary>Opens a table; returns null, and the fault, when it is missing or damaged.</summary>
    // SAFETY: the file is mapped until it is disposed, and is longer than the header that is read.
    public static IndexTable? TryOpen(string directory, long generation, FileAccess access, out string fault)
    {
        MappedFile file;
        try
        {
            file = MappedFile.Open(CacheFiles.Index(directory, generation), access, isCollected: true);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            fault = exception is FileNotFoundException ? "it is missing" : "it is empty";
            return null;
        }

        HugePages.Prefer(file);
        fault = $"its header does not match its {file.Length} bytes";
        if (file.Length > Bucket.Bytes)
        {
            var header = (ulong*)file.Start;
            var (magic, buckets, overflow) = (header[0], header[1], header[2]);
            var words = (ulong)file.Length / Bucket.Bytes;
            if (magic == FileMagic && buckets >= MinBuckets && buckets < words && BitOperations.IsPow2(buckets) && overflow == words - buckets - 1
                && file.Length % Bucket.Bytes == 0)
            {
                return new IndexTable(file, generation, (long)buckets, (long)overflow);
            }
        }

        file.Dispose();
        return null;
    }

    /// <summary>Gets the position before all entries with the tag of the hash.</summary>
    // SAFETY: BucketOf bounds the address.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IndexCursor CursorOf(ulong hash) => CursorIn(BucketOf(hash), hash, links: 0);

    /// <summary>Gets the first entry of the hash's bucket that has its tag; another word of the bucket when none has.</summary>
    // SAFETY: the remainder keeps the address inside the bucket, which BucketOf bounds.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IndexCell FirstMatch(ulong hash)
    {
        var bucket = BucketOf(hash);
        return new IndexCell(bucket + (BitOperations.TrailingZeroCount(MatchesIn(bucket, hash)) % Bucket.Words));
    }

    /// <summary>Gets the number of a cell among the words of all buckets.</summary>
    // SAFETY: only calculates with addresses.
    public long NumberOf(IndexCell cell) => cell.NumberFrom(_buckets);

    /// <summary>Gets the number of the hash's bucket.</summary>
    public long NumberOf(ulong hash) => (long)(hash & _mask);

    /// <summary>Begins to load the hash's bucket into the processor's cache.</summary>
    // SAFETY: BucketOf bounds the address.
    public void Prefetch(ulong hash) => ProcessorCache.Prefetch((byte*)BucketOf(hash), Bucket.Bytes);

    /// <summary>Moves to the next entry with the tag of the hash.</summary>
    /// <returns>False when there is none. The links of a cursor are counted, so it also ends in a circle of damaged links, even if entries there match.</returns>
    // SAFETY: Linked gives only buckets inside the file.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(ref IndexCursor cursor, ulong hash)
    {
        while (true)
        {
            while (cursor.Matches != 0)
            {
                cursor = cursor.ToNextMatch();
                if (IndexWord.HasTag(cursor.Word, hash))
                {
                    return true;
                }
            }

            if (cursor.Links >= _overflowCount || (Linked(cursor.Bucket) is var next && next is null))
            {
                return false;
            }

            cursor = CursorIn(next, hash, cursor.Links + 1);
        }
    }

    /// <summary>Finds the entry that leads to a location, and its word. The caller keeps the table alive while it uses the cell.</summary>
    public IndexCell FindCell(ulong hash, long location, out ulong word)
    {
        for (var cursor = CursorOf(hash); TryNext(ref cursor, hash);)
        {
            word = cursor.Word;
            if (IndexWord.Location(word) == location)
            {
                return cursor.Cell;
            }
        }

        word = IndexWord.Empty;
        return default;
    }

    /// <summary>Finds an empty cell for the hash, if need be in a new overflow bucket. The caller holds the lock of the hash.</summary>
    /// <returns>Not a cell when the table is full, or its links form a circle.</returns>
    // SAFETY: BucketOf and Linked give only buckets inside the file.
    public IndexCell FindEmpty(ulong hash)
    {
        var bucket = BucketOf(hash);
        for (var links = 0L; links <= _overflowCount; links++)
        {
            for (var cell = bucket; cell < bucket + Entries; cell++)
            {
                if (Volatile.Read(ref *cell) == IndexWord.Empty)
                {
                    return new IndexCell(cell);
                }
            }

            if (Linked(bucket) is var next && next is null)
            {
                return Extend(bucket);
            }

            bucket = next;
        }

        return default;
    }

    /// <summary>Gets the next bucket of a chain; null after the last one.</summary>
    // SAFETY: the link may be damaged, so it is compared with the number of overflow buckets.
    public ulong* Linked(ulong* bucket)
    {
        Debug.Assert(bucket >= _buckets && bucket < _overflow + (_overflowCount * Bucket.Words), "The bucket is of another table.");
        var link = LinkOf(bucket);
        return link > 0 && link <= _overflowCount ? _overflow + ((link - 1) * Bucket.Words) : null;
    }

    /// <summary>Gets the first bucket of a chain.</summary>
    // SAFETY: callers count the number up to Buckets.
    public ulong* BucketAt(long number)
    {
        Debug.Assert((ulong)number < (ulong)Buckets, "The bucket is outside the file.");
        return _buckets + (number * Bucket.Words);
    }

    /// <summary>Removes all entries. The caller holds all locks.</summary>
    // SAFETY: the buckets end with the last overflow bucket. Words are written whole, because readers must not see halves.
    public void Clear()
    {
        for (var cell = _buckets; cell < _overflow + (_overflowCount * Bucket.Words); cell++)
        {
            Volatile.Write(ref *cell, IndexWord.Empty);
        }

        Volatile.Write(ref *_overflowUsed, 0);
    }

    /// <summary>Halves the number of reads of each entry.</summary>
    // SAFETY: the buckets end with the last overflow bucket. The counts are the upper half of a bucket's last word.
    public void HalveReads()
    {
        for (var bucket = _buckets; bucket < _overflow + (_overflowCount * Bucket.Words); bucket += Bucket.Words)
        {
            var counts = (uint*)(bucket + Entries) + 1;
            if (*counts is var known and not 0)
            {
                *counts = (known >> 1) & HalvedReads;
            }
        }

        GC.KeepAlive(this);
    }

    /// <summary>Checks the links of a table that another process has written, and may be adding to: each overflow bucket is linked once at most, and is in use then.</summary>
    // SAFETY: each link is loaded once, and compared with the number of overflow buckets before it is followed.
    public bool HasValidLinks()
    {
        var isLinked = new bool[_overflowCount];
        var last = 0L;
        for (var number = 0L; number < Buckets; number++)
        {
            var bucket = BucketAt(number);
            for (var link = LinkOf(bucket); link != 0; link = LinkOf(bucket))
            {
                if (link > _overflowCount || isLinked[link - 1])
                {
                    return false;
                }

                isLinked[link - 1] = true;
                last = Math.Max(last, link);
                bucket = _overflow + ((link - 1) * Bucket.Words);
            }
        }

        // A bucket is in use before it is linked, so the number is loaded after the links.
        var used = Volatile.Read(ref *_overflowUsed);
        GC.KeepAlive(this);
        return used >= last && used <= _overflowCount;
    }

    // SAFETY: callers pass a bucket of this table. The link is the lower half of its last word; the upper half changes without a lock.
    private static long LinkOf(ulong* bucket) => Volatile.Read(ref *(uint*)(bucket + Entries));

    // SAFETY: the mask keeps the number below Buckets.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* BucketOf(ulong hash) => _buckets + (NumberOf(hash) * Bucket.Words);

    // SAFETY: callers pass a bucket of this table.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static IndexCursor CursorIn(ulong* bucket, ulong hash, uint links) => new(bucket, MatchesIn(bucket, hash), links);

    // SAFETY: callers pass a bucket of this table. For a tag of 0 empty entries match too.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint MatchesIn(ulong* bucket, ulong hash) => Bucket.Matches(bucket, IndexWord.TagMask, IndexWord.Tag(hash)) & EntriesMask;

    // The number of buckets in use is never too large, not even for a moment: a process that was killed then would leave a table that counts as damaged.
    // SAFETY: the number is compared with the overflow buckets. The new bucket is empty, because each is used once.
    private IndexCell Extend(ulong* bucket)
    {
        for (var used = Volatile.Read(ref *_overflowUsed); (ulong)used < (ulong)_overflowCount; used = Volatile.Read(ref *_overflowUsed))
        {
            if (Interlocked.CompareExchange(ref *_overflowUsed, used + 1, used) == used)
            {
                Volatile.Write(ref *(uint*)(bucket + Entries), (uint)(used + 1));
                return new IndexCell(_overflow + (used * Bucket.Words));
            }
        }

        return default;
    }
}
