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
            Write(json, scalar.Name, bytes);
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
        "u8" => Name(bytes[0]),
        "i8" => Name((sbyte)bytes[0]),
        "u16" => Name(BinaryPrimitives.ReadUInt16LittleEndian(bytes)),
        "i16" => Name(BinaryPrimitives.ReadInt16LittleEndian(bytes)),
        "u32" => Name(BinaryPrimitives.ReadUInt32LittleEndian(bytes)),
        "i32" => Name(BinaryPrimitives.ReadInt32LittleEndian(bytes)),
        "u64" => Name(BinaryPrimitives.ReadUInt64LittleEndian(bytes)),
        "i64" => Name(BinaryPrimitives.ReadInt64LittleEndian(bytes)),
        "u128" => Name(BinaryPrimitives.ReadUInt128LittleEndian(bytes)),
        "i128" => Name(BinaryPrimitives.ReadInt128LittleEndian(bytes)),
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

    private static void Write(Utf8JsonWriter json, string name, ReadOnlySpan<byte> bytes)
    {
        switch (name)
        {
            case "bool":
                json.WriteBooleanValue(Read<bool>(bytes));
                break;
            case "u8":
                json.WriteNumberValue(bytes[0]);
                break;
            case "i8":
                json.WriteNumberValue((sbyte)bytes[0]);
                break;
            case "u16":
                json.WriteNumberValue(BinaryPrimitives.ReadUInt16LittleEndian(bytes));
                break;
            case "i16":
                json.WriteNumberValue(BinaryPrimitives.ReadInt16LittleEndian(bytes));
                break;
            case "u32":
                json.WriteNumberValue(BinaryPrimitives.ReadUInt32LittleEndian(bytes));
                break;
            case "i32":
                json.WriteNumberValue(BinaryPrimitives.ReadInt32LittleEndian(bytes));
                break;
            case "u64":
                json.WriteNumberValue(BinaryPrimitives.ReadUInt64LittleEndian(bytes));
                break;
            case "i64":
                json.WriteNumberValue(BinaryPrimitives.ReadInt64LittleEndian(bytes));
                break;
            case "u128":
                json.WriteRawValue(BinaryPrimitives.ReadUInt128LittleEndian(bytes).ToString(CultureInfo.InvariantCulture));
                break;
            case "i128":
                json.WriteRawValue(BinaryPrimitives.ReadInt128LittleEndian(bytes).ToString(CultureInfo.InvariantCulture));
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
                json.WriteStringValue(Text(name, bytes));
                break;
        }
    }

    private static string Name<T>(T number)
        where T : IFormattable
        => number.ToString(format: null, CultureInfo.InvariantCulture);

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
