using System.Buffers;
using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;
using System.Text;

namespace BufferedMessages.Wire;

/// <summary>The storage of the keys of a dictionary, or of the elements of a set. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IKeys
{
    /// <summary>Gets the bytes of one key in the array of keys: the value, or a slot.</summary>
    static abstract int ElementBytes { get; }

    /// <summary>Adds the bytes of one key outside of the array of keys.</summary>
    static abstract void AddSize(scoped SourcePlace key, ref MessageSize size);

    /// <summary>Adds the bytes of one key, by which it is hashed and compared.</summary>
    static abstract void Encode(scoped SourcePlace key, ref KeyOrder order);

    /// <summary>Appends the array of keys in their order, and their bytes outside of it.</summary>
    static abstract void Append(ref KeyOrder order, ref MessageWriter writer);

    /// <summary>Gets a number that is smaller for a key with smaller bytes; keys with different bytes may have the same one.</summary>
    static abstract ulong PrefixOf(scoped SourcePlace key);

    /// <summary>Compares the bytes of two keys of the same prefix.</summary>
    /// <returns>A negative number if the first key comes first; 0 if they are the same.</returns>
    static abstract int Compare(scoped SourcePlace left, scoped SourcePlace right);

    /// <summary>Writes keys that are in order to an array that is claimed and cleared, and appends their bytes outside of it.</summary>
    static abstract void Write(scoped SourcePlaces keys, ref MessageWriter writer, int position);
}

/// <summary>The storage of keys of a type. For generated code.</summary>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IKeys<TKey> : IKeys
{
    /// <summary>Copies the keys.</summary>
    static abstract TKey[] Read(ref ObjectReader reader, DictionaryTable table);
}

/// <summary>Keys of fixed size: an array of values. For generated code.</summary>
/// <typeparam name="T">The type of a key.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ValueKeys<T> : IKeys<T>, IVerifiedKeys
    where T : unmanaged
{
    /// <inheritdoc/>
    public static int ElementBytes => Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace key, ref MessageSize size)
    {
        // It lies in the array of keys.
    }

    /// <inheritdoc/>
    public static void Encode(scoped SourcePlace key, ref KeyOrder order) => order.Add(key.Get<T>());

    /// <inheritdoc/>
    public static void Append(ref KeyOrder order, ref MessageWriter writer) => writer.AppendKeys<T>(ref order);

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, DictionaryTable table)
    {
        var keys = new T[table.Count];
        for (var i = 0; i < keys.Length; i++)
        {
            keys[i] = WireValue.Read<T>(ref KeyAt(table, i), table.RegionBytes);
        }

        return keys;
    }

    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong IKeys.PrefixOf(scoped SourcePlace key)
    {
        Unsafe.SkipInit(out T encoded);
        ref var start = ref Unsafe.As<T, byte>(ref encoded);
        WireValue.Write(ref start, key.Get<T>());
        return Unsafe.SizeOf<T>() switch
        {
            1 => start,
            2 => BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ushort>(ref start)),
            4 => BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<uint>(ref start)),
            _ => BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ulong>(ref start)),
        };
    }

    [SkipLocalsInit]
    static int IKeys.Compare(scoped SourcePlace left, scoped SourcePlace right)
    {
        Unsafe.SkipInit(out T first);
        Unsafe.SkipInit(out T second);
        ref var firstStart = ref Unsafe.As<T, byte>(ref first);
        ref var secondStart = ref Unsafe.As<T, byte>(ref second);
        WireValue.Write(ref firstStart, left.Get<T>());
        WireValue.Write(ref secondStart, right.Get<T>());
        return MemoryMarshal.CreateReadOnlySpan(ref firstStart, Unsafe.SizeOf<T>()).SequenceCompareTo(MemoryMarshal.CreateReadOnlySpan(ref secondStart, Unsafe.SizeOf<T>()));
    }

    static void IKeys.Write(scoped SourcePlaces keys, ref MessageWriter writer, int position)
    {
        foreach (ref readonly var key in keys.As<T>())
        {
            writer.WriteKey(position, key);
            position += Unsafe.SizeOf<T>();
        }
    }

    static bool IVerifiedKeys.Verify(scoped ref MessageVerifier verifier, BlockReader keys, int offset, out ReadOnlySpan<byte> key) =>
        verifier.ValueKey<T>(keys, offset, out key);

    /// <summary>Finds a key; -1 if it is not there.</summary>
    [SkipLocalsInit]
    internal static int Find(DictionaryTable table, T key)
    {
        Unsafe.SkipInit(out T encoded);
        ref var start = ref Unsafe.As<T, byte>(ref encoded);
        WireValue.Write(ref start, key);
        var bytes = MemoryMarshal.CreateReadOnlySpan(ref start, Unsafe.SizeOf<T>());
        var (first, end) = table.RangeOf(bytes);
        if (end - first > WireFormat.MaxEntriesWithoutBuckets)
        {
            return FindInLongRange(table, bytes, first, end);
        }

        for (var i = first; i < end; i++)
        {
            if (AreSame(ref KeyAt(table, i), ref start))
            {
                return i;
            }
        }

        return -1;
    }

    private static int FindInLongRange(DictionaryTable table, ReadOnlySpan<byte> key, int first, int end)
    {
        while (first < end)
        {
            var middle = (int)(((uint)first + (uint)end) / 2);
            var comparison = MemoryMarshal.CreateReadOnlySpan(ref KeyAt(table, middle), Unsafe.SizeOf<T>()).SequenceCompareTo(key);
            if (comparison == 0)
            {
                return middle;
            }

            (first, end) = comparison < 0 ? (middle + 1, end) : (first, middle);
        }

        return -1;
    }

    private static ref byte KeyAt(DictionaryTable table, int index) => ref Unsafe.Add(ref table.KeyStart, (nint)index * Unsafe.SizeOf<T>());

    // Keys have 1, 2, 4, 8 or 16 bytes; the JIT keeps one of the cases.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool AreSame(ref byte left, ref byte right) => Unsafe.SizeOf<T>() switch
    {
        1 => left == right,
        2 => Unsafe.ReadUnaligned<ushort>(ref left) == Unsafe.ReadUnaligned<ushort>(ref right),
        4 => Unsafe.ReadUnaligned<uint>(ref left) == Unsafe.ReadUnaligned<uint>(ref right),
        8 => Unsafe.ReadUnaligned<ulong>(ref left) == Unsafe.ReadUnaligned<ulong>(ref right),
        _ => Unsafe.ReadUnaligned<UInt128>(ref left) == Unsafe.ReadUnaligned<UInt128>(ref right),
    };
}

/// <summary>Keys that are strings: an array of slots, then the long ones. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextKeys : IKeys<string>, IVerifiedKeys
{
    private const int MaxStackChars = 128;

    /// <inheritdoc/>
    public static int ElementBytes => WireFormat.SlotBytes;

    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace key, ref MessageSize size) => size.AddString(key.Get<string>());

    /// <inheritdoc/>
    public static void Encode(scoped SourcePlace key, ref KeyOrder order) => order.Add(key.Get<string>());

    /// <inheritdoc/>
    public static void Append(ref KeyOrder order, ref MessageWriter writer)
    {
        var slots = writer.ClaimSlots(order.Count);
        for (var i = 0; i < order.Count; i++)
        {
            writer.WriteBinary(slots, i * WireFormat.SlotBytes, order.BytesAt(i));
        }
    }

    /// <inheritdoc/>
    public static string[] Read(ref ObjectReader reader, DictionaryTable table)
    {
        var slots = table.KeySlots;
        var keys = new string[table.Count];
        for (var i = 0; i < keys.Length; i++)
        {
            if (reader.ReadString(slots, i * WireFormat.SlotBytes) is not { } key)
            {
                Malformed.Throw(WireRule.NullKey, slots.RegionBytes);
                return [];
            }

            keys[i] = key;
        }

        return keys;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong IKeys.PrefixOf(scoped SourcePlace key) => TextOrder.PrefixOf(key.Get<string>());

    static int IKeys.Compare(scoped SourcePlace left, scoped SourcePlace right) => TextOrder.Compare(left.Get<string>(), right.Get<string>());

    static void IKeys.Write(scoped SourcePlaces keys, ref MessageWriter writer, int position)
    {
        var offset = 0;
        foreach (var key in keys.As<string>())
        {
            writer.WriteString(position, offset, key);
            offset += WireFormat.SlotBytes;
        }
    }

    static bool IVerifiedKeys.Verify(scoped ref MessageVerifier verifier, BlockReader keys, int offset, out ReadOnlySpan<byte> key) =>
        verifier.TextKey(keys, offset, out key);

    /// <summary>Finds a key; -1 if it is not there.</summary>
    internal static int Find(DictionaryTable table, ReadOnlySpan<byte> key)
    {
        var (first, end) = table.RangeOf(key);
        if (end - first > WireFormat.MaxEntriesWithoutBuckets)
        {
            return FindInLongRange(table.KeySlots, key, first, end);
        }

        return key.Length <= WireFormat.MaxInlineBytes
            ? FindInline(ref table.KeyStart, InlineSlot.Of(key), first, end)
            : FindLong(table.KeySlots, ref table.KeyStart, key, first, end);
    }

    /// <summary>Finds a key that is given as characters; -1 if it is not there.</summary>
    [SkipLocalsInit]
    internal static int Find(DictionaryTable table, ReadOnlySpan<char> key)
    {
        if (key.Length <= MaxStackChars)
        {
            return FindTranscoded(table, key, stackalloc byte[MaxStackChars * Utf8Text.MaxBytesPerChar]);
        }

        var bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(key.Length));
        var index = FindTranscoded(table, key, bytes);
        ArrayPool<byte>.Shared.Return(bytes);
        return index;
    }

    // No stored text has an unpaired surrogate.
    private static int FindTranscoded(DictionaryTable table, ReadOnlySpan<char> key, Span<byte> bytes) =>
        Utf8.FromUtf16(key, bytes, out _, out var written, replaceInvalidSequences: false) == OperationStatus.Done
            ? Find(table, bytes[..written])
            : -1;

    // A short key is always in its slot.
    private static int FindInline(ref byte keys, ulong slot, int first, int end)
    {
        for (var i = first; i < end; i++)
        {
            if (Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref keys, (nint)i * WireFormat.SlotBytes)) == slot)
            {
                return i;
            }
        }

        return -1;
    }

    private static int FindLong(BlockReader slots, ref byte keys, ReadOnlySpan<byte> key, int first, int end)
    {
        for (var i = first; i < end; i++)
        {
            // The lengths differ most often. The comparison reads the slot again, and checks it.
            if (Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref keys, (nint)i * WireFormat.SlotBytes)) == key.Length
                && slots.ReadBinary(i * WireFormat.SlotBytes).SequenceEqual(key))
            {
                return i;
            }
        }

        return -1;
    }

    private static int FindInLongRange(BlockReader slots, ReadOnlySpan<byte> key, int first, int end)
    {
        while (first < end)
        {
            var middle = (int)(((uint)first + (uint)end) / 2);
            var comparison = slots.ReadBinary(middle * WireFormat.SlotBytes).SequenceCompareTo(key);
            if (comparison == 0)
            {
                return middle;
            }

            (first, end) = comparison < 0 ? (middle + 1, end) : (first, middle);
        }

        return -1;
    }
}
