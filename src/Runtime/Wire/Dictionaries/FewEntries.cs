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

        Unsafe.Add(ref Unsafe.As<FewElements<T>, T>(ref elements), index) = value;
    }

    /// <summary>The first elements.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<T> First<T>([UnscopedRef] ref readonly FewElements<T> elements, int count)
    {
        Debug.Assert(count is >= 0 and <= Max, "As many were placed.");
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<FewElements<T>, T>(ref Unsafe.AsRef(in elements)), count);
    }
}

/// <summary>Elements on the stack.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[InlineArray(FewEntries.Max)]
internal struct FewElements<T>
{
    private T _first;
}
