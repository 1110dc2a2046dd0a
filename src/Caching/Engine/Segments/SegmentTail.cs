namespace BufferedMessages.Caching;

/// <summary>The segment to which records are added, and the offset of the next one.</summary>
/// <param name="isCarried">Whether the records are carried over from segments that are emptied.</param>
internal struct SegmentTail(bool isCarried)
{
    public int Slot = ControlHeader.NoSlot;
    public long Position;

    // Pages before this offset were mapped for writing.
    public long MappedEnd;

    public readonly bool IsCarried => isCarried;

    public void Resume(int slot, long position)
    {
        Slot = position == 0 ? ControlHeader.NoSlot : slot;
        Position = position;
        MappedEnd = position;
    }
}
