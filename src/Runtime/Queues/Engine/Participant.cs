using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>
/// What a producer and a consumer have in common: a seat, and one use at a time (a publish, a claim, a lease, a loop).
/// Dispose may come from any thread and at any time, also within a use: the mappings go away when the last use is over.
/// A use costs two plain stores and a load; Dispose pays for the ordering with a fence in all threads of the process.
/// </summary>
internal abstract unsafe partial class Participant : IDisposable
{
    private long _lastUse;
    private long _currentUse;
    private bool _disposed;
    private int _closed;

    protected Participant(ControlFile control, Seat seat)
    {
        Control = control;
        Seat = seat;
        Me = control.Participant(seat.Slot);
        Segments = control.Segments;
        Records = WakeSignal.ForRecords(control);
        Space = WakeSignal.ForSpace(control);
        Suspicion = new Suspicion(control);
    }

    /// <summary>This participant's number.</summary>
    public int Slot => Seat.Slot;

    /// <summary>The consumer's cursor record; <see cref="Seat.NoCursor"/> for a producer.</summary>
    public int CursorIndex => Seat.Cursor;

    /// <summary>The queue it takes part in; valid until it is closed.</summary>
    public ControlFile Queue => Control;

    /// <summary>What it has published or committed; valid until it is closed.</summary>
    public ParticipantCounts Counts => new(Volatile.Read(ref Me->Messages), Volatile.Read(ref Me->PayloadBytes));

    protected ControlFile Control { get; }

    protected Seat Seat { get; }

    /// <summary>This participant's slot of the control file.</summary>
    protected ParticipantSlot* Me { get; }

    protected SegmentStore Segments { get; }

    /// <summary>What consumers sleep on.</summary>
    protected WakeSignal Records { get; }

    /// <summary>What producers sleep on.</summary>
    protected WakeSignal Space { get; }

    /// <summary>About the owner of what this participant is blocked on.</summary>
    protected Suspicion Suspicion { get; }

    protected bool IsDisposed => Volatile.Read(ref _disposed);

    /// <summary>Closes the participant, or lets the use that is open close it.</summary>
    public void Dispose()
    {
        if (IsDisposed)
        {
            return;
        }

        Volatile.Write(ref _disposed, true);

        // Whoever began a use before this fence is seen below; whoever begins one after it sees the flag.
        Interlocked.MemoryBarrierProcessWide();
        if (Volatile.Read(ref _currentUse) == 0)
        {
            Close();
        }
        else if (Control.TryAddReference())
        {
            OnDisposedInUse();
            Signal.WakeAll();
            Control.Release();
        }
    }

    /// <summary>Whether a use is the open one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsOpen(long use) => _currentUse == use;

    /// <summary>Begins a use; <see cref="Exit"/> ends it.</summary>
    /// <exception cref="InvalidOperationException">Another use is open.</exception>
    /// <exception cref="ObjectDisposedException">The participant is disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected long Enter()
    {
        if (_currentUse != 0)
        {
            ThrowInUse();
        }

        var use = ++_lastUse;
        Volatile.Write(ref _currentUse, use);
        if (IsDisposed)
        {
            ExitAndThrowDisposed();
        }

        return use;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Exit()
    {
        Volatile.Write(ref _currentUse, 0);
        if (IsDisposed)
        {
            Close();
        }
    }

    /// <summary>Requires a use to be the open one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void RequireOpen(long use)
    {
        if (!IsOpen(use))
        {
            ThrowClosed();
        }
    }

    /// <summary>The participant was disposed by another thread, or by the code within its use.</summary>
    protected virtual void OnDisposedInUse()
    {
    }

    /// <summary>Unmaps what the participant has mapped; it is never used again.</summary>
    protected abstract void Unmap();

    [DoesNotReturn]
    protected void ThrowDisposed() => throw new ObjectDisposedException(ObjectName);

    protected abstract string ObjectName { get; }

    private void Close()
    {
        if (Interlocked.Exchange(ref _closed, 1) == 0)
        {
            QueueMetrics.Remove(this);
            Unmap();
            new Participants(Control).Leave(Seat);
            Control.Release();
        }
    }

    private void ExitAndThrowDisposed()
    {
        Exit();
        ThrowDisposed();
    }

    [DoesNotReturn]
    private static void ThrowInUse() => throw new InvalidOperationException(
        "The last claim, lease or loop is still open, or another thread is using this object. Dispose it first; one object serves one thread.");

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(
        ObjectName, "This claim, lease or loop is closed: it was committed or disposed.");
}
