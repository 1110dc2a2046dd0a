using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Proof that a participant is dead, or has left: its lease, taken by us. While it is held nobody else acts for the dead one, and its slot
/// is not used again. The registrar's right is held with it, so that nobody takes us for the slot's new owner.
/// </summary>
internal sealed class Verdict : IDisposable
{
    private readonly FileLease _registrar;
    private readonly FileLease? _lease;

    private Verdict(FileLease registrar, FileLease? lease)
    {
        _registrar = registrar;
        _lease = lease;
    }

    /// <summary>Looks whether a participant is dead. Null when it lives, or when somebody else is the registrar just now.</summary>
    public static Verdict? TryReach(ControlFile control, int slot)
    {
        var registrar = Registrar.TryAcquire(control);
        if (registrar is null || slot == ParticipantSlot.Registrar)
        {
            return registrar is null ? null : new Verdict(registrar, lease: null);
        }

        var isDead = false;
        try
        {
            var lease = FileLease.TryAcquire(ControlFile.LeasePath(control.Directory, slot));
            isDead = lease is not null;
            FaultPoints.RobLiveOwner(ref isDead);
            return isDead ? new Verdict(registrar, lease) : null;
        }
        finally
        {
            if (!isDead)
            {
                registrar.Dispose();
            }
        }
    }

    /// <summary>Gives the registrar's right back and keeps the dead one's lease, for the caller to dispose.</summary>
    public FileLease KeepLease()
    {
        _registrar.Dispose();
        return _lease!;
    }

    public void Dispose()
    {
        _lease?.Dispose();
        _registrar.Dispose();
    }
}
