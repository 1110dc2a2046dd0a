using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>Stored values as JSON: numbers as numbers; dates, times and texts as strings, in the formats that can be read back.</summary>
internal static class JsonValue
{
    /// <summary>Writes a value.</summary>
    /// <exception cref="MalformedMessageException">Its type cannot hold it.</exception>
    public static void Write(Utf8JsonWriter json, SchemaValue kind, ReadOnlySpan<byte> bytes)
    {
        if (kind is SchemaScalar scalar)
        {
            Write(json, scalar, bytes);
            return;
        }

        json.WriteStartArray();
        foreach (var field in ((SchemaStruct)kind).Fields)
        {
            Write(json, field, bytes[field.Offset..]);
        }

        json.WriteEndArray();
    }

    /// <summary>The name of the property for a key.</summary>
    public static string NameOf(SchemaScalar kind, ReadOnlySpan<byte> bytes) => kind.Name switch
    {
        "bool" => Read<bool>(bytes) ? "true" : "false",
        "u8" or "u16" or "u32" or "u64" => Unsigned(kind, bytes).ToString(CultureInfo.InvariantCulture),
        "i8" or "i16" or "i32" or "i64" => Signed(kind, bytes).ToString(CultureInfo.InvariantCulture),
        "u128" => BinaryPrimitives.ReadUInt128LittleEndian(bytes).ToString(CultureInfo.InvariantCulture),
        "i128" => BinaryPrimitives.ReadInt128LittleEndian(bytes).ToString(CultureInfo.InvariantCulture),
        _ => Text(kind.Name, bytes),
    };

    /// <summary>Writes the name of a property; bytes that are not UTF-8 read as U+FFFD.</summary>
    /// <exception cref="MalformedMessageException">Another process changed the bytes while they were read.</exception>
    public static void WriteName(Utf8JsonWriter json, ReadOnlySpan<byte> utf8) => json.WritePropertyName(Utf8Text.Read(utf8));

    /// <summary>Writes a text; bytes that are not UTF-8 read as U+FFFD.</summary>
    /// <exception cref="MalformedMessageException">Another process changed the bytes while they were read.</exception>
    public static void WriteText(Utf8JsonWriter json, ReadOnlySpan<byte> utf8) => json.WriteStringValue(Utf8Text.Read(utf8));

    private static void Write(Utf8JsonWriter json, SchemaField field, ReadOnlySpan<byte> bytes)
    {
        if (field.Length is not { } length)
        {
            Write(json, field.Kind, bytes);
            return;
        }

        json.WriteStartArray();
        for (var i = 0; i < length; i++)
        {
            Write(json, field.Kind, bytes[(i * field.Kind.Size)..]);
        }

        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, SchemaScalar kind, ReadOnlySpan<byte> bytes)
    {
        switch (kind.Name)
        {
            case "bool":
                json.WriteBooleanValue(Read<bool>(bytes));
                break;
            case "u8" or "u16" or "u32" or "u64":
                json.WriteNumberValue(Unsigned(kind, bytes));
                break;
            case "i8" or "i16" or "i32" or "i64":
                json.WriteNumberValue(Signed(kind, bytes));
                break;
            case "u128" or "i128":
                json.WriteRawValue(NameOf(kind, bytes));
                break;
            case "f16":
                WriteFloat(json, (float)BinaryPrimitives.ReadHalfLittleEndian(bytes));
                break;
            case "f32":
                WriteFloat(json, BinaryPrimitives.ReadSingleLittleEndian(bytes));
                break;
            case "f64":
                WriteDouble(json, BinaryPrimitives.ReadDoubleLittleEndian(bytes));
                break;
            case "decimal":
                json.WriteNumberValue(Read<decimal>(bytes));
                break;
            default:
                json.WriteStringValue(Text(kind.Name, bytes));
                break;
        }
    }

    private static ulong Unsigned(SchemaScalar kind, ReadOnlySpan<byte> bytes) => kind.Size switch
    {
        sizeof(byte) => bytes[0],
        sizeof(ushort) => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        sizeof(uint) => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        _ => BinaryPrimitives.ReadUInt64LittleEndian(bytes),
    };

    private static long Signed(SchemaScalar kind, ReadOnlySpan<byte> bytes) => kind.Size switch
    {
        sizeof(sbyte) => (sbyte)bytes[0],
        sizeof(short) => BinaryPrimitives.ReadInt16LittleEndian(bytes),
        sizeof(int) => BinaryPrimitives.ReadInt32LittleEndian(bytes),
        _ => BinaryPrimitives.ReadInt64LittleEndian(bytes),
    };

    private static string Text(string name, ReadOnlySpan<byte> bytes) => name switch
    {
        "char" => Rune.TryCreate((char)BinaryPrimitives.ReadUInt16LittleEndian(bytes), out var rune) ? rune.ToString() : "\uFFFD",
        "guid" => Read<Guid>(bytes).ToString(),
        "datetime" => Read<DateTime>(bytes).ToString("O", CultureInfo.InvariantCulture),
        "datetimeoffset" => Read<DateTimeOffset>(bytes).ToString("O", CultureInfo.InvariantCulture),
        "timespan" => Read<TimeSpan>(bytes).ToString("c", CultureInfo.InvariantCulture),
        "dateonly" => Read<DateOnly>(bytes).ToString("O", CultureInfo.InvariantCulture),
        "timeonly" => Read<TimeOnly>(bytes).ToString("O", CultureInfo.InvariantCulture),
        _ => throw new FormatException($"'{name}' is not a scalar of a schema text."),
    };

    private static T Read<T>(ReadOnlySpan<byte> bytes)
        where T : unmanaged
        => WireValue.Read<T>(ref MemoryMarshal.GetReference(bytes[..Unsafe.SizeOf<T>()]), bytes.Length);

    // JSON has no infinities; their names are what System.Text.Json can read.
    private static void WriteFloat(Utf8JsonWriter json, float value)
    {
        if (float.IsFinite(value))
        {
            json.WriteNumberValue(value);
        }
        else
        {
            json.WriteStringValue(value.ToString(CultureInfo.InvariantCulture));
        }
    }

    private static void WriteDouble(Utf8JsonWriter json, double value)
    {
        if (double.IsFinite(value))
        {
            json.WriteNumberValue(value);
        }
        else
        {
            json.WriteStringValue(value.ToString(CultureInfo.InvariantCulture));
        }
    }
}
