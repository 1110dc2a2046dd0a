using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Makes random values for the members of random types. Generated programs call it, so it is public.</summary>
public sealed class ArbitraryValues(int seed)
{
    private const int MaxNesting = 4;

    // Characters of one to four UTF-8 bytes.
    private static readonly Rune[] Runes = [.. "aZ09 ~éßЖ߿ࠀ€日\uFFFD\uFFFF😀𐀀".EnumerateRunes()];
    private readonly Random _random = new(seed);

    /// <summary>Whether messages are nested deep enough.</summary>
    public static bool IsDeep(int depth) => depth > MaxNesting;

    public T Next<T>()
        where T : unmanaged
    {
        object? checkedValue = default(T) switch
        {
            bool => _random.Next(2) == 0,
            decimal => NextDecimal(),
            DateTime => new DateTime(NextTicks(), (DateTimeKind)_random.Next(3)),
            DateTimeOffset => NextDateTimeOffset(),
            DateOnly => DateOnly.FromDayNumber(_random.Next(DateOnly.MaxValue.DayNumber + 1)),
            TimeOnly => new TimeOnly(_random.NextInt64(TimeOnly.MaxValue.Ticks + 1)),
            _ => null,
        };
        return checkedValue is null ? NextBits<T>() : (T)checkedValue;
    }

    /// <inheritdoc cref="Next{T}"/>
    public static T NextOf<T>(ArbitraryValues values, int depth)
        where T : unmanaged
        => values.Next<T>();

    /// <inheritdoc cref="Text"/>
    public static string? TextOf(ArbitraryValues values, int depth) => values.Text();

    /// <summary>A text that is not null.</summary>
    public static string KeyOf(ArbitraryValues values, int depth) => values.Text() ?? "";

    /// <summary>One of so many numbers from 0 on.</summary>
    public int Choice(int count) => _random.Next(count);

    public T? Maybe<T>(Func<ArbitraryValues, int, T> next)
        where T : struct
        => _random.Next(3) == 0 ? null : next(this, 0);

    public T? MaybeMessage<T>(int depth, Func<ArbitraryValues, int, T> next)
        where T : class
        => IsDeep(depth) || _random.Next(3) == 0 ? null : next(this, depth + 1);

    public T? MaybeStruct<T>(int depth, Func<ArbitraryValues, int, T> next)
        where T : struct
        => IsDeep(depth) || _random.Next(3) == 0 ? null : next(this, depth + 1);

    public string? Text() => _random.Next(8) switch
    {
        0 => null,
        1 => "",
        2 => Ascii(_random.Next(1, 8)),
        3 => Ascii(_random.Next(8, 40)),
        4 => Ascii(_random.Next(60, 200)),
        5 => Unicode(_random.Next(1, 4)),
        6 => Unicode(_random.Next(4, 60)),
        _ => Ascii(_random.Next(1, 20)) + Unicode(_random.Next(2)),
    };

    public byte[]? Bytes()
    {
        var length = _random.Next(6) switch
        {
            0 => -1,
            1 => 0,
            2 => _random.Next(1, 8),
            3 => 8,
            _ => _random.Next(8, 40),
        };
        if (length < 0)
        {
            return null;
        }

        var bytes = new byte[length];
        _random.NextBytes(bytes);
        return bytes;
    }

    public ReadOnlyMemory<byte>? MaybeMemory() => Bytes() is { } bytes ? bytes : null;

    public T[]? Array<T>(int depth, Func<ArbitraryValues, int, T> next)
    {
        var count = IsDeep(depth) ? -1 : Count(depth);
        if (count < 0)
        {
            return null;
        }

        var elements = new T[count];
        for (var i = 0; i < count; i++)
        {
            elements[i] = next(this, depth);
        }

        return elements;
    }

    /// <summary>The elements as a sequence that may give them only one after the other.</summary>
    public IEnumerable<T>? Sequence<T>(T[]? elements) => elements is null || _random.Next(2) == 0 ? elements : elements.Select(static element => element);

    public Dictionary<TKey, TValue>? Entries<TKey, TValue>(int depth, Func<ArbitraryValues, int, TKey> nextKey, Func<ArbitraryValues, int, TValue> nextValue)
        where TKey : notnull
    {
        if (Array(depth, nextKey) is not { } keys)
        {
            return null;
        }

        var entries = new Dictionary<TKey, TValue>();
        foreach (var key in keys)
        {
            entries.TryAdd(key, nextValue(this, depth));
        }

        return entries;
    }

    public HashSet<T>? Elements<T>(int depth, Func<ArbitraryValues, int, T> next) => Array(depth, next)?.ToHashSet();

    // Now and then more elements than a byte of a presence bitmap has bits, or than a dictionary has without buckets.
    private int Count(int depth) => _random.Next(8) switch
    {
        0 => -1,
        1 => 0,
        2 => depth > 1 ? 1 : _random.Next(8, 20),
        _ => _random.Next(1, Math.Max(2, 5 - depth)),
    };

    private T NextBits<T>()
        where T : unmanaged
    {
        var value = default(T);
        var bytes = MemoryMarshal.AsBytes(new Span<T>(ref value));
        switch (_random.Next(6))
        {
            case 0:
                break;
            case 1:
                bytes.Fill(0xFF);
                break;
            case 2:
                bytes[_random.Next(Unsafe.SizeOf<T>())] = (byte)_random.Next(256);
                break;
            default:
                _random.NextBytes(bytes);
                break;
        }

        return value;
    }

    private long NextTicks() => _random.Next(5) switch
    {
        0 => 0,
        1 => DateTime.MaxValue.Ticks,
        _ => _random.NextInt64(DateTime.MaxValue.Ticks + 1),
    };

    private DateTimeOffset NextDateTimeOffset()
    {
        var offset = TimeSpan.FromMinutes(_random.Next(-14 * 60, (14 * 60) + 1));
        var first = Math.Max(0, offset.Ticks);
        var last = DateTime.MaxValue.Ticks + Math.Min(0, offset.Ticks);
        return new DateTimeOffset(_random.NextInt64(first, last + 1), offset);
    }

    private decimal NextDecimal() => _random.Next(5) switch
    {
        0 => decimal.MaxValue,
        1 => decimal.MinValue,
        2 => -0.0m,
        _ => new decimal(_random.Next(), _random.Next(), _random.Next(), _random.Next(2) == 0, (byte)_random.Next(29)),
    };

    private string Ascii(int length) => string.Create(length, _random, static (chars, random) =>
    {
        foreach (ref var unit in chars)
        {
            unit = (char)random.Next(128);
        }
    });

    private string Unicode(int count)
    {
        var text = new StringBuilder();
        for (var i = 0; i < count; i++)
        {
            text.Append(Runes[_random.Next(Runes.Length)].ToString());
        }

        return text.ToString();
    }
}
