using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;

[assembly: BufferedMessages.BufferedMessageConverter(typeof(BufferedMessages.Runtime.Tests.Converters.UriConverter))]
[assembly: BufferedMessages.BufferedMessageConverter(typeof(BufferedMessages.Runtime.Tests.Converters.RuneConverter))]
[assembly: BufferedMessages.BufferedMessageConverter(typeof(BufferedMessages.Runtime.Tests.Converters.VersionConverter))]
[assembly: BufferedMessages.BufferedMessageConverter(typeof(BufferedMessages.Runtime.Tests.Converters.BigIntegerConverter))]

namespace BufferedMessages.Runtime.Tests.Converters;

/// <summary>A type of the framework as a string.</summary>
internal static class UriConverter
{
    public static string ToWire(Uri value) => value.OriginalString;

    public static Uri FromWire(string value) => new(value, UriKind.Absolute);
}

/// <summary>A struct of the framework as a value, which not every integer is.</summary>
internal static class RuneConverter
{
    public static int ToWire(Rune value) => value.Value;

    public static Rune FromWire(int value) => new(value);
}

/// <summary>A class as a value: null needs a presence bit.</summary>
internal static class VersionConverter
{
    public static long ToWire(Version value) => ((long)value.Major << 32) | (uint)value.Minor;

    public static Version FromWire(long value) => new((int)(value >> 32), (int)value);
}

/// <summary>A struct of the framework as bytes, without an array in views.</summary>
internal static class BigIntegerConverter
{
    public static byte[] ToWire(BigInteger value) => value.ToByteArray();

    public static BigInteger FromWire(byte[] value) => new(value);

    public static BigInteger FromWire(ReadOnlySpan<byte> value) => new(value);
}

/// <summary>A class as a memory, which itself is never null.</summary>
internal static class AddressConverter
{
    public static ReadOnlyMemory<byte> ToWire(IPAddress value) => value.GetAddressBytes();

    public static IPAddress FromWire(ReadOnlyMemory<byte> value) => new(value.Span);
}

/// <summary>A struct as a memory.</summary>
internal static class NumberConverter
{
    public static Memory<byte> ToWire(BigInteger value) => value.ToByteArray();

    public static BigInteger FromWire(Memory<byte> value) => value.IsEmpty ? throw new FormatException("A number has bytes.") : new BigInteger(value.Span);
}

/// <summary>A type of the user with a converter of its own.</summary>
[BufferedMessageConverter(typeof(MoneyConverter))]
public readonly record struct Money(decimal Amount, char Currency);

internal static class MoneyConverter
{
    public static string ToWire(Money value) => string.Create(CultureInfo.InvariantCulture, $"{value.Currency}{value.Amount}");

    public static Money FromWire(string value) => FromWire(Encoding.UTF8.GetBytes(value));

    public static Money FromWire(ReadOnlySpan<byte> value) =>
        value.Length > 1 && Utf8Parser.TryParse(value[1..], out decimal amount, out var read) && read == value.Length - 1
            ? new Money(amount, (char)value[0])
            : throw new FormatException("An amount has a currency and a number.");
}

/// <summary>Another converter of the same type, for single members: cents.</summary>
internal static class CentsConverter
{
    public static long ToWire(Money value) => (long)(value.Amount * 100);

    public static Money FromWire(long value) => new(value / 100m, '$');
}

/// <summary>A struct with padding on the wire.</summary>
public readonly record struct Span2(byte Unit, int Length);

public readonly record struct Range2(byte Unit, int Length);

internal static class Range2Converter
{
    public static Span2 ToWire(Range2 value) => new(value.Unit, value.Length);

    public static Range2 FromWire(Span2 value) => new(value.Unit, value.Length);
}
