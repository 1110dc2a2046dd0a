using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// A named position in the queue. It survives restarts; a record is taken once and then belongs to its name.
/// <code>
///   0  u32 kind: 0 unused, 1 exclusive      4  i32 owner slot, 0 for none      8  u32 name bytes
///  12  name, UTF-8
/// 128  i64 position of the next record to read
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct CursorRecord
{
    public const int Bytes = 256;
    public const int Count = 254;
    public const int MaxNameBytes = 116;
    public const uint ExclusiveKind = 1;

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

    /// <summary>The UTF-8 bytes of the name.</summary>
    [InlineArray(MaxNameBytes)]
    public struct NameBuffer
    {
        private byte _first;
    }
}
