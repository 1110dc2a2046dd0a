using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The cursor of a consumer name. It survives restarts; a record belongs to its name until that is deleted.
/// <code>
///   0  u32 kind: 0 never used, 1 exclusive, 2 group, 3 deleted      4  i32 owner slot, 0 for none (exclusive)      8  u32 name bytes
///  12  name, UTF-8
/// 128  i64 position of the next record to read (exclusive), or to give to a member (group)
/// 136  u32 1 if the last owner died: the next message may be a redelivery (exclusive)
/// 144  i64 position before which messages may have been delivered, committed or not; 0 if only committed ones were
/// 152  i64 position before which the members were done with every message when they last looked (group)
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct CursorRecord
{
    public const int Bytes = 256;
    public const int Count = 254;
    public const int MaxNameBytes = 116;
    public const uint ExclusiveKind = 1;
    public const uint GroupKind = 2;
    public const uint DeletedKind = 3;

    [FieldOffset(0)]
    public uint Kind;

    [FieldOffset(4)]
    public int OwnerSlot;

    [FieldOffset(8)]
    public uint NameBytes;

    [FieldOffset(12)]
    public NameBuffer Name;

    [FieldOffset(128)]
    public long Position;

    [FieldOffset(136)]
    public uint OwnerDied;

    [FieldOffset(144)]
    public long ReadPosition;

    [FieldOffset(152)]
    public long DonePosition;

    /// <summary>
    /// Moves a group back to the first message that its members may not have finished, so that none of their announcements is needed. All messages
    /// that were given to a member and come again are redeliveries.
    /// </summary>
    /// <param name="first">Position of the first segment.</param>
    public void ReturnToDone(long first)
    {
        // A member that looked before the name was moved back may have noted its position afterwards.
        var isKnown = DonePosition <= Position && DonePosition % RecordWord.Alignment == 0;
        var done = isKnown ? Math.Max(DonePosition, first) : first;
        ReadPosition = Math.Max(ReadPosition, Position);
        Position = Math.Min(Position, done);
    }

    /// <summary>The UTF-8 bytes of the name.</summary>
    [InlineArray(MaxNameBytes)]
    public struct NameBuffer
    {
        private byte _first;
    }
}
