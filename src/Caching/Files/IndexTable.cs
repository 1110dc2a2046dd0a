using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The index: a mapped file of buckets of 64 bytes, seven entries and a link each. A bucket that is full links to one of the overflow buckets behind
/// them. Readers take no lock; writers hold the lock of the hash. Unmapped when nobody refers to it: readers may be in a table that was replaced.
/// <code>
///    0  header: magic · buckets · overflow buckets · overflow buckets in use
///   64  buckets, a power of two: 7 x u64 entry, see <see cref="IndexWord"/> · u64 number of an overflow bucket, from 1 on
///       overflow buckets
/// </code>
/// </summary>
internal sealed unsafe class IndexTable
{
    /// <summary>Entries in a bucket, and the place of its link.</summary>
    public const int Entries = 7;

    private const ulong FileMagic = 0x31584449_43534D42; // "BMSCIDX1"
    private const long MinBuckets = 1L << IndexWord.BucketBits;
    private const uint EntriesMask = (1u << Entries) - 1;
    private const int EntriesPerBucket = 5;
    private const int BucketsPerOverflow = 4;
    private const string TemporarySuffix = "creating";

    private readonly MappedFile _file;
    private readonly ulong* _buckets;
    private readonly ulong* _overflow;
    private readonly ulong _mask;
    private readonly long _overflowCount;
    private readonly long* _overflowUsed;

    private IndexTable(MappedFile file, long generation, long buckets, long overflow)
    {
        _file = file;
        Generation = generation;
        Buckets = buckets;
        _mask = (ulong)buckets - 1;
        _overflowCount = overflow;
        _overflowUsed = (long*)file.Start + 3;
        _buckets = (ulong*)(file.Start + Bucket.Bytes);
        _overflow = _buckets + (buckets * Bucket.Words);
    }

    /// <summary>The number of its file.</summary>
    public long Generation { get; }

    /// <summary>Buckets, without those of overflows.</summary>
    public long Buckets { get; }

    /// <summary>With more entries than this the table should be replaced by a larger one.</summary>
    public long Comfortable => Buckets * EntriesPerBucket;

    /// <summary>Bytes of the file.</summary>
    public long Bytes => _file.Length;

    /// <summary>The buckets that so many entries need.</summary>
    public static long BucketsFor(long entries) =>
        Math.Max(MinBuckets, (long)BitOperations.RoundUpToPowerOf2((ulong)((entries / EntriesPerBucket) + 1)));

    /// <summary>Creates an empty table.</summary>
    /// <exception cref="DiskFullException">There is no room.</exception>
    public static IndexTable Create(string directory, long generation, long buckets)
    {
        var path = CacheFiles.Index(directory, generation);
        CacheFiles.TryDelete(path);
        var overflow = buckets / BucketsPerOverflow;
        MappedFile.Create(path, Bucket.Bytes * (1 + buckets + overflow), TemporarySuffix, file =>
        {
            HugePages.Prefer(file);
            var header = (ulong*)file.Start;
            header[0] = FileMagic;
            header[1] = (ulong)buckets;
            header[2] = (ulong)overflow;
        });
        return TryOpen(directory, generation, FileAccess.ReadWrite, out var fault) ?? throw new IOException($"'{path}' could not be opened after it was created: {fault}.");
    }

    /// <summary>Opens a table; null, and the fault, when it is missing or damaged.</summary>
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

    /// <summary>The place in front of all entries with the tag of the hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IndexCursor CursorOf(ulong hash) => CursorIn(BucketOf(hash), hash);

    /// <summary>The first entry of the hash's bucket that has its tag; when none has, some other.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong* FirstMatch(ulong hash)
    {
        var bucket = BucketOf(hash);
        return bucket + (BitOperations.TrailingZeroCount(MatchesIn(bucket, hash)) % Bucket.Words);
    }

    /// <summary>Begins to load the hash's bucket.</summary>
    public void Prefetch(ulong hash) => ProcessorCache.Prefetch((byte*)BucketOf(hash), Bucket.Bytes);

    /// <summary>Goes to the next entry with the tag of the hash.</summary>
    /// <returns>False when there is no other.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(ref IndexCursor cursor, ulong hash)
    {
        for (var links = 0L; links <= _overflowCount; links++)
        {
            while (cursor.Matches != 0)
            {
                cursor = cursor.ToNextMatch();
                if (IndexWord.HasTag(cursor.Word, hash))
                {
                    return true;
                }
            }

            if (Linked(cursor.Bucket) is var next && next is null)
            {
                return false;
            }

            cursor = CursorIn(next, hash);
        }

        return false;
    }

    /// <summary>Finds an empty entry for the hash, if need be in a new overflow bucket. The caller holds the lock of the hash.</summary>
    /// <returns>Null when the table is full.</returns>
    public ulong* FindEmpty(ulong hash)
    {
        var bucket = BucketOf(hash);
        while (true)
        {
            for (var cell = bucket; cell < bucket + Entries; cell++)
            {
                if (Volatile.Read(ref *cell) == IndexWord.Empty)
                {
                    return cell;
                }
            }

            if (Linked(bucket) is var next && next is null)
            {
                return Extend(bucket);
            }

            bucket = next;
        }
    }

    /// <summary>The next bucket of a chain.</summary>
    public ulong* Linked(ulong* bucket)
    {
        var link = Volatile.Read(ref bucket[Entries]);
        return link - 1 < (ulong)_overflowCount ? _overflow + ((link - 1) * Bucket.Words) : null;
    }

    /// <summary>The first bucket of a chain.</summary>
    public ulong* BucketAt(long number) => _buckets + (number * Bucket.Words);

    /// <summary>Copies all entries to an empty table. The caller holds all locks.</summary>
    /// <returns>False when they do not fit.</returns>
    public bool TryCopyTo(IndexTable larger)
    {
        for (var number = 0L; number < Buckets; number++)
        {
            for (var bucket = BucketAt(number); bucket is not null; bucket = Linked(bucket))
            {
                for (var i = 0; i < Entries; i++)
                {
                    var word = Volatile.Read(ref bucket[i]);
                    if (word != IndexWord.Empty)
                    {
                        var cell = larger.FindEmpty(HashOf(word, number));
                        if (cell is null)
                        {
                            return false;
                        }

                        *cell = word;
                    }
                }
            }
        }

        return true;
    }

    /// <summary>The lowest 36 bits of an entry's hash.</summary>
    public static ulong HashOf(ulong word, long bucket) => IndexWord.HashOf(word, bucket);

    /// <summary>Removes everything. The caller holds all locks.</summary>
    public void Clear()
    {
        for (var cell = _buckets; cell < _overflow + (_overflowCount * Bucket.Words); cell++)
        {
            // One word at a time: readers must not see halves.
            Volatile.Write(ref *cell, IndexWord.Empty);
        }

        Volatile.Write(ref *_overflowUsed, 0);
    }

    /// <summary>Checks the links of a table that another process left: each overflow bucket that is in use is linked once.</summary>
    public bool HasValidLinks()
    {
        var used = *_overflowUsed;
        if (used < 0 || used > _overflowCount)
        {
            return false;
        }

        var isLinked = new bool[used];
        for (var number = 0L; number < Buckets; number++)
        {
            for (var bucket = BucketAt(number); bucket[Entries] != 0; bucket = Linked(bucket))
            {
                var link = bucket[Entries] - 1;
                if (link >= (ulong)used || isLinked[link])
                {
                    return false;
                }

                isLinked[link] = true;
            }
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* BucketOf(ulong hash) => _buckets + ((hash & _mask) * Bucket.Words);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static IndexCursor CursorIn(ulong* bucket, ulong hash) => new(bucket, MatchesIn(bucket, hash));

    // Where the tag is 0 empty entries match too.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint MatchesIn(ulong* bucket, ulong hash) => Bucket.Matches(bucket, IndexWord.TagMask, IndexWord.Tag(hash)) & EntriesMask;

    private ulong* Extend(ulong* bucket)
    {
        var number = Interlocked.Increment(ref *_overflowUsed);
        if (number > _overflowCount)
        {
            Interlocked.Decrement(ref *_overflowUsed);
            return null;
        }

        // Empty: overflow buckets are given out once.
        var overflow = _overflow + ((number - 1) * Bucket.Words);
        Volatile.Write(ref bucket[Entries], (ulong)number);
        return overflow;
    }
}
