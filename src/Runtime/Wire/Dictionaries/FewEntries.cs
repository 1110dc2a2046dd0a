using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>The dictionaries that are small enough to be put in order on the stack.</summary>
internal static class FewEntries
{
    /// <summary>The most entries of such a dictionary: those that need no buckets.</summary>
    public const int Max = WireFormat.MaxEntriesWithoutBuckets;

    /// <summary>Gets the dictionary if it is the usual one and has few entries, otherwise null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Dictionary<TKey, TValue>? Of<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>>? source)
        where TKey : notnull
        => source is not null && source.GetType() == typeof(Dictionary<TKey, TValue>) && Unsafe.As<Dictionary<TKey, TValue>>(source).Count <= Max
            ? Unsafe.As<Dictionary<TKey, TValue>>(source)
            : null;

    /// <summary>Puts an element at a place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Place<T>(ref FewElements<T> elements, int index, T value)
    {
        if ((uint)index >= Max)
        {
            WriteFailure.ThrowChanged();
        }

        At(ref elements, index) = value;
    }

    /// <summary>Puts the entries in the order in which they are stored. Most keys differ in their first bytes, so few are compared as a whole.</summary>
    /// <returns>Number of entries.</returns>
    /// <exception cref="DuplicateKeyException">Two keys have the same bytes.</exception>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int PutInOrder<TKey, TValue, TKeys>(Dictionary<TKey, TValue> source, ref FewElements<TKey> keys, ref FewElements<TValue> values)
        where TKey : notnull
        where TKeys : IKeys
    {
        Unsafe.SkipInit(out FewElements<ulong> prefixes);
        var count = 0;
        foreach (var (key, value) in source)
        {
            if (count == Max)
            {
                WriteFailure.ThrowChanged();
            }

            var prefix = TKeys.PrefixOf(SourcePlace.Of(in key));
            var place = count;
            for (; place > 0; place--)
            {
                var before = At(ref prefixes, place - 1);
                if (before < prefix || (before == prefix && ComesBefore<TKey, TKeys>(in At(ref keys, place - 1), in key)))
                {
                    break;
                }

                At(ref prefixes, place) = before;
                At(ref keys, place) = At(ref keys, place - 1);
                At(ref values, place) = At(ref values, place - 1);
            }

            At(ref prefixes, place) = prefix;
            At(ref keys, place) = key;
            At(ref values, place) = value;
            count++;
        }

        if (count != source.Count)
        {
            WriteFailure.ThrowChanged();
        }

        return count;
    }

    /// <summary>The first elements.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<T> First<T>([UnscopedRef] ref readonly FewElements<T> elements, int count)
    {
        Debug.Assert(count is >= 0 and <= Max, "As many were placed.");
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<FewElements<T>, T>(ref Unsafe.AsRef(in elements)), count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ComesBefore<TKey, TKeys>(ref readonly TKey left, ref readonly TKey right)
        where TKeys : IKeys
    {
        var comparison = TKeys.Compare(SourcePlace.Of(in left), SourcePlace.Of(in right));
        if (comparison == 0)
        {
            throw new DuplicateKeyException(right);
        }

        return comparison < 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref T At<T>([UnscopedRef] ref FewElements<T> elements, int index)
    {
        Debug.Assert((uint)index < Max, "The caller counts the entries.");
        return ref Unsafe.Add(ref Unsafe.As<FewElements<T>, T>(ref elements), index);
    }
}

/// <summary>Elements on the stack.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[InlineArray(FewEntries.Max)]
internal struct FewElements<T>
{
    private T _first;
}
