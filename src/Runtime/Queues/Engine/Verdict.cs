using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Proof that a participant is dead, or has left: a share of its lease, or the whole. While it is held the slot gets no new owner, so a word that
/// names the slot now was written by somebody who is gone, whoever had the slot meanwhile.
/// <para>
/// Any number may have a share, and a burial may go on beside them. So a share allows one thing: to change a word that names the dead
/// one, by compare-and-swap, and so only if it still does. Who needs to be the only one takes the whole lease.
/// A holder that is stopped holds up nobody but those who need the whole lease: the slot is not used again meanwhile.
/// </para>
/// </summary>
internal sealed class Verdict : IDisposable
{
    private readonly FileLease? _lease;

    private Verdict(FileLease? lease) => _lease = lease;

    /// <summary>Looks whether a participant is dead. Null when it lives, or when somebody has its whole lease to act for it.</summary>
    public static Verdict? TryReach(ControlFile control, int slot)
    {
        var path = ControlFile.LeasePath(control.Directory, slot);
        if (control.IsReadOnly)
        {
            return FileLease.TryLook(path, out var share) ? new Verdict(share) : null;
        }

        return Of(FileLease.TryAcquireShare(path));
    }

    /// <summary>Looks whether a participant is dead, and becomes the only one to act for it. Null also when somebody else just looks.</summary>
    public static Verdict? TryReachAlone(ControlFile control, int slot) => Of(FileLease.TryAcquire(ControlFile.LeasePath(control.Directory, slot)));

    /// <summary>A participant is dead, or has left, at this moment.</summary>
    public static bool IsDead(ControlFile control, int slot)
    {
        using var verdict = TryReach(control, slot);
        return verdict is not null;
    }

    public void Dispose() => _lease?.Dispose();

    private static Verdict? Of(FileLease? lease)
    {
        var isDead = lease is not null;
        FaultPoints.RobLiveOwner(ref isDead);
        return isDead ? new Verdict(lease) : null;
    }
}
