using System.Collections.Immutable;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Compares members of a source with those of a view. Generated programs call it, so it is public.</summary>
public static class Same
{
    public static void Null(bool expected, bool isNull, [CallerArgumentExpression(nameof(isNull))] string what = "")
    {
        if (expected != isNull)
        {
            Assert.Fail($"{what} is {isNull}.");
        }
    }

    public static void NullSpan<T>(ReadOnlySpan<T> actual, [CallerArgumentExpression(nameof(actual))] string what = "") => Null(expected: true, actual.IsNull, what);

    public static bool IsNullSpan<T>(ReadOnlySpan<T> span) => span.IsNull;

    public static void Value<T>(T expected, T actual, [CallerArgumentExpression(nameof(actual))] string what = "")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual) || KindOf(expected) != KindOf(actual))
        {
            Assert.Fail($"{what} is {actual}, not {expected}.");
        }
    }

    public static void Text(string? expected, BufferedString actual, [CallerArgumentExpression(nameof(actual))] string what = "")
    {
        if (actual != expected || actual.IsNull != expected is null || actual.ToString() != expected)
        {
            Assert.Fail($"{what} is '{actual}', not '{expected}'.");
        }
    }

    public static void Values<T>(T[]? expected, ReadOnlySpan<T> actual, [CallerArgumentExpression(nameof(actual))] string what = "")
        where T : unmanaged
    {
        Counts(expected, actual.IsNull, actual.Length, what);
        for (var i = 0; i < actual.Length; i++)
        {
            Value(expected![i], actual[i], what);
        }
    }

    public static void CheckedValues<T>(T[]? expected, BufferedValueList<T> actual, [CallerArgumentExpression(nameof(actual))] string what = "")
        where T : unmanaged
    {
        Counts(expected, actual.IsNull, actual.Count, what);
        var i = 0;
        foreach (var value in actual)
        {
            Value(expected![i], actual[i], what);
            Value(expected[i++], value, what);
        }
    }

    public static void Nullables<T>(T?[]? expected, BufferedNullableList<T> actual, [CallerArgumentExpression(nameof(actual))] string what = "")
        where T : unmanaged
    {
        Counts(expected, actual.IsNull, actual.Count, what);
        var i = 0;
        foreach (var value in actual)
        {
            Value(expected![i], actual[i], what);
            Value(expected[i++], value, what);
        }
    }

    public static void Counts<T>(T[]? expected, bool isNull, int count, string what = "a list")
    {
        Null(expected is null, isNull, what + ".IsNull");
        Value(expected?.Length ?? 0, count, what + ".Count");
    }

    public static void Counts(int? expected, bool isNull, int count, [CallerArgumentExpression(nameof(count))] string what = "")
    {
        Null(expected is null, isNull, what + ".IsNull");
        Value(expected.GetValueOrDefault(), count, what);
    }

    public static T[]? Array<T>(IEnumerable<T>? source) => source?.ToArray();

    public static T[]? ImmutableArray<T>(ImmutableArray<T>? source) => source is { IsDefault: false } elements ? [.. elements] : null;

    public static T[]? SegmentArray<T>(ArraySegment<T> source) => source.Array is null ? null : [.. source];

    /// <summary>A memory cannot be null: an empty one stands for null too.</summary>
    public static T[]? MemoryArray<T>(ReadOnlyMemory<T> source, bool isNull) => isNull && source.IsEmpty ? null : source.ToArray();

    public static T[]? NullableMemoryArray<T>(ReadOnlyMemory<T>? source) => source?.ToArray();

    private static DateTimeKind KindOf<T>(T value) => value is DateTime time ? time.Kind : default;
}
