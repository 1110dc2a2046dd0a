using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>A participant's place in the queue: a slot of the control file, and the lease that holds it.</summary>
/// <param name="Slot">The slot's number.</param>
/// <param name="Lease">Held until the participant is closed.</param>
/// <param name="Cursor">The consumer's cursor record; -1 for a producer.</param>
internal sealed record Membership(int Slot, FileLease Lease, int Cursor)
{
    public const int NoCursor = -1;
}
