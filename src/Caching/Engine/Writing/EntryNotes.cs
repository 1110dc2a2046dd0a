using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The notes on the entries of a table, in the memory of the process that writes. A set replaces an entry by its note, and does not read the record: that may be on the disk, and the processor
/// can load note and bucket at the same time. A note is read and written under the lock of the hash, with its entry. An entry that another process has made has none.
/// </summary>
internal sealed class EntryNotes
{
    private readonly nuint _bytes;

    // SAFETY: allocated by the constructor, a word for each word of the table's buckets. It stays readable after the finalizer.
    private readonly unsafe ulong* _words;

    private bool _mayLack;

    /// <summary>Initializes the notes: none is known yet.</summary>
    /// <param name="table">The table.</param>
    /// <param name="mayLack">Whether the table has, or will get, entries without a note.</param>
    // SAFETY: clears bytes that were taken.
    public unsafe EntryNotes(IndexTable table, bool mayLack)
    {
        Table = table;
        _mayLack = mayLack;
        _bytes = BitOperations.RoundUpToPowerOf2((nuint)(table.Words * sizeof(ulong)));
        _words = (ulong*)KeptMemory.Take(_bytes);
        NativeMemory.Clear(_words, (nuint)(table.Words * sizeof(ulong)));
    }

    // SAFETY: given back once, and no thread has this object.
    unsafe ~EntryNotes()
    {
        // Not if there was no memory.
        if (_words is not null)
        {
            KeptMemory.GiveBack((byte*)_words, _bytes);
        }
    }

    /// <summary>Gets the table.</summary>
    public IndexTable Table { get; }

    /// <summary>Gets whether an entry may be without a note.</summary>
    public bool MayLack => Volatile.Read(ref _mayLack);

    /// <summary>Gets or sets the note on the entry in a cell of the table.</summary>
    public EntryNote this[IndexCell cell]
    {
        get => new(Volatile.Read(ref WordOf(cell)));
        set
        {
            Volatile.Write(ref WordOf(cell), value.Word);
            if (!value.IsKnown)
            {
                Volatile.Write(ref _mayLack, true);
            }
        }
    }

    /// <summary>Begins to load the notes on the hash's bucket into the processor's cache.</summary>
    // SAFETY: the number of a bucket is below that of the table's buckets.
    public unsafe void Prefetch(ulong hash) => ProcessorCache.Prefetch((byte*)(_words + (Table.NumberOf(hash) * Bucket.Words)), Bucket.Bytes);

    // SAFETY: the table says which of its words the cell is.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe ref ulong WordOf(IndexCell cell)
    {
        var number = Table.NumberOf(cell);
        Debug.Assert((ulong)number < (ulong)Table.Words, "The cell is of another table.");
        return ref _words[number];
    }
}
