namespace BufferedMessages.Caching;

/// <summary>Room for a record that is being written.</summary>
/// <param name="start">Its first byte.</param>
/// <param name="slot">Its segment.</param>
/// <param name="location">Where it is.</param>
/// <param name="word">Its state word.</param>
internal unsafe struct Reservation(byte* start, int slot, long location, ulong word)
{
    public readonly byte* Start => start;

    public readonly int Slot => slot;

    public readonly long Location => location;

    public readonly ulong Word => word;

    /// <summary>Where the value goes.</summary>
    public byte* Value { get; set; }
}
