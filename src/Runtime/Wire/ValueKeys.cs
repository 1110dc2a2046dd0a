using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>Keys of fixed size: an array of values. For generated code.</summary>
/// <typeparam name="T">The type of a key.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ValueKeys<T> : IKeys<T>, IVerifiedKeys
    where T : unmanaged
{
    /// <inheritdoc/>
    public static int ElementBytes => Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static void AddSize(T key, ref MessageSize size)
    {
        // It lies in the array of keys.
    }

    /// <inheritdoc/>
    public static void Encode(T key, ref KeyOrder order) => order.Add(key);

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
