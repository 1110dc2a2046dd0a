using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Apache.Arrow.Types;
using BufferedMessages.Wire;

namespace BufferedMessages.Tool;

/// <summary>The column for a kind of member. Values that Arrow has no exact type for are texts, as in JSON; times are in microseconds.</summary>
internal static class ArrowColumns
{
    private static readonly TimestampType Local = new(TimeUnit.Microsecond, timezone: (string?)null);
    private static readonly TimestampType Utc = new(TimeUnit.Microsecond, "UTC");

    /// <summary>Makes the column of a member; null if the member is a collection, a message, a union or a struct.</summary>
    public static ArrowColumn? Of(string name, SchemaKind kind) => kind switch
    {
        SchemaScalar scalar => OfScalar(name, scalar),
        SchemaNullable { Value: SchemaScalar scalar } => OfScalar(name, scalar),
        SchemaString => new ArrowTexts(name, StringType.Default, static utf8 => Encoding.UTF8.GetBytes(Utf8Text.Read(utf8))),
        SchemaBinary => OfBytes(name),
        _ => null,
    };

    /// <summary>Makes a column of bytes.</summary>
    public static ArrowColumn OfBytes(string name) => new ArrowTexts(name, BinaryType.Default, static bytes => bytes);

    /// <summary>Makes a column of 64-bit integers.</summary>
    public static ArrowColumn OfInteger(string name) => new ArrowValues(name, Int64Type.Default, Same);

    /// <summary>Makes a column of moments, whose values are the ticks of .NET.</summary>
    public static ArrowColumn OfMoment(string name) => new ArrowValues(name, Utc, static (ticks, place) => WriteMoment(BinaryPrimitives.ReadInt64LittleEndian(ticks), place));

    private static ArrowColumn OfScalar(string name, SchemaScalar scalar) => scalar.Name switch
    {
        "bool" => new ArrowBits(name),
        "i8" => new ArrowValues(name, Int8Type.Default, Same),
        "i16" => new ArrowValues(name, Int16Type.Default, Same),
        "i32" => new ArrowValues(name, Int32Type.Default, Same),
        "i64" => new ArrowValues(name, Int64Type.Default, Same),
        "u8" => new ArrowValues(name, UInt8Type.Default, Same),
        "u16" => new ArrowValues(name, UInt16Type.Default, Same),
        "u32" => new ArrowValues(name, UInt32Type.Default, Same),
        "u64" => new ArrowValues(name, UInt64Type.Default, Same),
        "f16" => new ArrowValues(name, HalfFloatType.Default, Same),
        "f32" => new ArrowValues(name, FloatType.Default, Same),
        "f64" => new ArrowValues(name, DoubleType.Default, Same),
        "datetime" => new ArrowValues(name, Local, static (value, place) => WriteMoment(Read<DateTime>(value).Ticks, place)),
        "datetimeoffset" => new ArrowValues(name, Utc, static (value, place) => WriteMoment(Read<DateTimeOffset>(value).UtcTicks, place)),
        "timespan" => new ArrowValues(name, DurationType.Microsecond, static (value, place) => WriteSpan(Read<TimeSpan>(value).Ticks, place)),
        "timeonly" => new ArrowValues(name, new Time64Type(TimeUnit.Microsecond), static (value, place) => WriteSpan(Read<TimeOnly>(value).Ticks, place)),
        "dateonly" => new ArrowValues(name, Date32Type.Default, static (value, place) => BinaryPrimitives.WriteInt32LittleEndian(place, Read<DateOnly>(value).DayNumber - DateOnly.FromDateTime(DateTime.UnixEpoch).DayNumber)),
        "decimal" => new ArrowTexts(name, StringType.Default, static value => Encoding.ASCII.GetBytes(Read<decimal>(value).ToString(CultureInfo.InvariantCulture))),
        _ => new ArrowTexts(name, StringType.Default, value => Encoding.UTF8.GetBytes(JsonValue.NameOf(scalar, value))),
    };

    private static void Same(ReadOnlySpan<byte> value, Span<byte> place) => value.CopyTo(place);

    private static void WriteMoment(long ticks, Span<byte> place) => WriteSpan(ticks - DateTime.UnixEpoch.Ticks, place);

    private static void WriteSpan(long ticks, Span<byte> place) => BinaryPrimitives.WriteInt64LittleEndian(place, (long)Math.Floor((decimal)ticks / TimeSpan.TicksPerMicrosecond));

    private static T Read<T>(ReadOnlySpan<byte> bytes)
        where T : unmanaged
        => WireValue.Read<T>(ref MemoryMarshal.GetReference(bytes[..Unsafe.SizeOf<T>()]), bytes.Length);
}
