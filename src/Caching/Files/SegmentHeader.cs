using System.Numerics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Caching;

/// <summary>
/// The first bytes of a segment. They describe it, so that the index can be rebuilt from the segments. Records whose sequence number is not
/// above <see cref="OpenSequence"/> are from an earlier lap.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct SegmentHeader
{
    public const int Bytes = 64;

    /// <summary>The required feature of segments with records that have tags.</summary>
    public const uint TagsFeature = 1;

    private const ulong SegmentMagic = 0x31474553_43534D42; // "BMSCSEG1"

    [FieldOffset(0)] private ulong _magic;
    [FieldOffset(8)] private int _slot;
    [FieldOffset(12)] private uint _check;
    [FieldOffset(16)] private ulong _openSequence;
    [FieldOffset(24)] private uint _requiredFeatures;
    [FieldOffset(28)] private uint _optionalFeatures;

    public readonly ulong OpenSequence => _openSequence;

    /// <summary>Gets the features that a program must know to read the records, and this one does not.</summary>
    public readonly uint UnknownFeatures => _requiredFeatures & ~TagsFeature;

    /// <summary>Determines whether the segment has records.</summary>
    public readonly bool IsOpen(int slot) => _magic == SegmentMagic && _slot == slot && _check == Check();

    /// <summary>Determines whether the segment was emptied. While leases hold it, the control file still lists it as open.</summary>
    public readonly bool IsClosed(int slot) => _magic == 0 && _slot == slot && _check == Check();

    public void Open(int slot, ulong openSequence)
    {
        _slot = slot;
        _openSequence = openSequence;
        _requiredFeatures = 0;
        _optionalFeatures = 0;
        _check = Check();
        Volatile.Write(ref _magic, SegmentMagic);
    }

    /// <summary>Notes that records have tags. Called before the first one is committed.</summary>
    public void RequireTags()
    {
        if ((Volatile.Read(ref _requiredFeatures) & TagsFeature) == 0)
        {
            Interlocked.Or(ref _requiredFeatures, TagsFeature);
        }
    }

    /// <summary>Marks the segment as free.</summary>
    public void Close() => Volatile.Write(ref _magic, 0);

    private readonly uint Check() => BitOperations.Crc32C(BitOperations.Crc32C(~0u, _openSequence), (uint)_slot);
}
