using System.Buffers.Binary;

namespace BufferedMessages.Bridges;

/// <summary>A message of a run, as ranges of the run's memory.</summary>
/// <param name="Position">Its position in its queue.</param>
/// <param name="Payload">The message.</param>
/// <param name="Properties">The entries of its properties.</param>
internal readonly record struct RunRecord(long Position, ReadOnlyMemory<byte> Payload, ReadOnlyMemory<byte> Properties)
{
    public const int HeaderBytes = 16;
    private const int Alignment = 16;

    /// <summary>Bytes of a message in the body of a run.</summary>
    public static int Bytes(int payloadBytes, int propertyBytes) => checked(HeaderBytes + ((payloadBytes + propertyBytes + Alignment - 1) & -Alignment));

    /// <summary>Writes a message to the body of a run.</summary>
    /// <param name="destination">As many bytes as <see cref="Bytes"/> says.</param>
    /// <param name="position">Its position.</param>
    /// <param name="payload">The message.</param>
    /// <param name="properties">The entries of its properties.</param>
    public static void Write(Span<byte> destination, long position, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> properties)
    {
        BinaryPrimitives.WriteInt64LittleEndian(destination, position);
        BinaryPrimitives.WriteInt32LittleEndian(destination[8..], payload.Length);
        BinaryPrimitives.WriteInt32LittleEndian(destination[12..], properties.Length);
        payload.CopyTo(destination[HeaderBytes..]);
        properties.CopyTo(destination[(HeaderBytes + payload.Length)..]);
        destination[(HeaderBytes + payload.Length + properties.Length)..].Clear();
    }

    /// <summary>Reads the next message of a run. The bytes may be anything.</summary>
    /// <param name="run">The run.</param>
    /// <param name="offset">Where the message begins; moves to the next one.</param>
    /// <param name="record">The message.</param>
    /// <returns>False if the rest of the body is not a message.</returns>
    public static bool TryRead(in MessageRun run, ref int offset, out RunRecord record)
    {
        record = default;
        if (run.Kind == RunKind.Single)
        {
            record = new RunRecord(run.FirstPosition, run.Body, run.Header[MessageRun.HeaderBytes..]);
            var isFirst = offset == 0;
            offset = 1;
            return isFirst;
        }

        var rest = run.Body[offset..];
        if (rest.Length < HeaderBytes)
        {
            return false;
        }

        var payloadBytes = BinaryPrimitives.ReadUInt32LittleEndian(rest.Span[8..]);
        var propertyBytes = BinaryPrimitives.ReadUInt32LittleEndian(rest.Span[12..]);
        if ((ulong)payloadBytes + propertyBytes > (ulong)(rest.Length - HeaderBytes))
        {
            return false;
        }

        record = new RunRecord(
            BinaryPrimitives.ReadInt64LittleEndian(rest.Span),
            rest.Slice(HeaderBytes, (int)payloadBytes),
            rest.Slice(HeaderBytes + (int)payloadBytes, (int)propertyBytes));
        offset += Math.Min(Bytes((int)payloadBytes, (int)propertyBytes), rest.Length);
        return true;
    }

    /// <summary>Whether a run has as many messages as its header says, at ascending positions before its end.</summary>
    public static bool AreWhole(in MessageRun run)
    {
        var offset = 0;
        var last = -1L;
        for (var i = 0; i < run.Count; i++)
        {
            if (!TryRead(run, ref offset, out var record) || record.Position <= last || record.Position >= run.To)
            {
                return false;
            }

            last = record.Position;
        }

        return true;
    }
}
