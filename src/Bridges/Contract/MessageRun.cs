using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Bridges;

/// <summary>
/// A run: messages of one queue that follow each other, as one entry of a stream. The header names them; the body holds their bytes.
/// <code>
/// header   0 u8 version, 1   1 u8 kind   2 u16 flags, those from bit 8 on may be ignored   4 u32 count   8 guid queue   24 i64 epoch   32 i64 epoch of from   40 i64 from   48 i64 to
///          56 u64 fingerprint of the schema   64 i64 position of the first message   72 the properties of a single message
/// body     for each message, at a multiple of 16: i64 position, u32 bytes of the payload, u32 bytes of the properties, payload, properties; of a single message the payload alone
/// </code>
/// A run holds each message of its queue from position <see cref="From"/> up to <see cref="To"/>. All of them belong to one epoch.
/// </summary>
public readonly struct MessageRun
{
    internal const int HeaderBytes = 72;
    internal const byte Version = 1;
    private const int RequiredFlags = 0xFF;

    private readonly ReadOnlyMemory<byte> _header;

    internal MessageRun(ReadOnlyMemory<byte> header, ReadOnlyMemory<byte> body)
    {
        _header = header;
        Body = body;
    }

    /// <summary>Gets the header, to be stored beside the body.</summary>
    public ReadOnlyMemory<byte> Header => _header;

    /// <summary>Gets the body.</summary>
    public ReadOnlyMemory<byte> Body { get; }

    /// <summary>Gets the id of the queue that the messages were published in.</summary>
    public Guid QueueId => new(Fields[8..24]);

    /// <summary>Gets the epoch of the messages.</summary>
    public long Epoch => Int64At(24);

    /// <summary>Gets the epoch of the message before the run.</summary>
    public long FromEpoch => Int64At(32);

    /// <summary>Gets the position after the message before the run.</summary>
    public long From => Int64At(40);

    /// <summary>Gets the position after the last message.</summary>
    public long To => Int64At(48);

    /// <summary>Gets the number of messages; 0 if the run holds the schema.</summary>
    public int Count => BinaryPrimitives.ReadInt32LittleEndian(Fields[4..]);

    internal RunKind Kind => (RunKind)Fields[1];

    internal RunFlags Flags => (RunFlags)BinaryPrimitives.ReadUInt16LittleEndian(Fields[2..]);

    internal ulong Fingerprint => (ulong)Int64At(56);

    internal long FirstPosition => Int64At(64);

    /// <summary>The place before the first message.</summary>
    internal ChainPlace Start => new(FromEpoch, From);

    /// <summary>The place after the last message.</summary>
    internal ChainPlace End => new(Epoch, To);

    private ReadOnlySpan<byte> Fields => _header.Length >= HeaderBytes ? _header.Span : ThrowEmpty();

    /// <summary>Reads an entry of a stream as a run. Only the header is checked.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="run">The run; its memory is the entry's.</param>
    /// <returns>False if a bridge did not write it, or it is damaged.</returns>
    /// <exception cref="NotSupportedException">A later version wrote it.</exception>
    public static bool TryParse(in MessageStreamEntry entry, out MessageRun run)
    {
        run = new MessageRun(entry.Header, entry.Body);
        if (entry.Header.Length < HeaderBytes)
        {
            return false;
        }

        if (entry.Header.Span[0] != Version || run.Kind > RunKind.Schema || ((int)run.Flags & RequiredFlags & ~(int)RunFlags.All) != 0)
        {
            ThrowNewer(entry.Offset);
        }

        return run.From >= 0 && run.To >= run.From && run.Count >= 0;
    }

    internal static void WriteHeader(Span<byte> header, RunKind kind, RunFlags flags, int count, Guid queue, ChainPlace start, ChainPlace end, ulong fingerprint, long firstPosition)
    {
        header[0] = Version;
        header[1] = (byte)kind;
        BinaryPrimitives.WriteUInt16LittleEndian(header[2..], (ushort)flags);
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], count);
        queue.TryWriteBytes(header[8..]);
        BinaryPrimitives.WriteInt64LittleEndian(header[24..], end.Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(header[32..], start.Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(header[40..], start.Position);
        BinaryPrimitives.WriteInt64LittleEndian(header[48..], end.Position);
        BinaryPrimitives.WriteUInt64LittleEndian(header[56..], fingerprint);
        BinaryPrimitives.WriteInt64LittleEndian(header[64..], firstPosition);
    }

    [DoesNotReturn]
    private static ReadOnlySpan<byte> ThrowEmpty() => throw new InvalidOperationException("This run has no header: no bridge wrote it. Check the result of TryParse first.");

    [DoesNotReturn]
    private static void ThrowNewer(StreamOffset offset) =>
        throw new NotSupportedException($"A later version of the bridge wrote the entry at offset {offset} of the stream. Update the BufferedMessages.Bridges package.");

    private long Int64At(int offset) => BinaryPrimitives.ReadInt64LittleEndian(Fields[offset..]);
}

/// <summary>The kinds of runs, as the header numbers them.</summary>
internal enum RunKind : byte
{
    /// <summary>Messages, 16-aligned with their positions and properties.</summary>
    Messages,

    /// <summary>One message, whose payload is the body.</summary>
    Single,

    /// <summary>The text of the schema.</summary>
    Schema,
}

/// <summary>The flags of a run.</summary>
[Flags]
internal enum RunFlags : ushort
{
    None,

    /// <summary>The broker had confirmed every message before this run when it was sent: a receiver that knows none of the queue's messages may begin here.</summary>
    Resumes = 1,

    /// <summary>Retention of the queue deleted the message before this run: a receiver accepts the hole.</summary>
    AfterDeletion = 2,

    All = Resumes | AfterDeletion,
}

/// <summary>A place between two messages of a queue. Places are ordered by the epoch, then by the position, so a later epoch is after every place of an earlier one.</summary>
/// <param name="Epoch">The epoch of the message before it.</param>
/// <param name="Position">The position after that message.</param>
internal readonly record struct ChainPlace(long Epoch, long Position) : IComparable<ChainPlace>
{
    public static bool operator <(ChainPlace left, ChainPlace right) => left.CompareTo(right) < 0;

    public static bool operator >(ChainPlace left, ChainPlace right) => left.CompareTo(right) > 0;

    public static bool operator <=(ChainPlace left, ChainPlace right) => left.CompareTo(right) <= 0;

    public static bool operator >=(ChainPlace left, ChainPlace right) => left.CompareTo(right) >= 0;

    public int CompareTo(ChainPlace other) => Epoch != other.Epoch ? Epoch.CompareTo(other.Epoch) : Position.CompareTo(other.Position);
}
