using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>
/// The gate that lets one use at a time into a producer, a consumer or a reader: a publish, a claim, a delivery, a loop. Dispose may be called from any thread and at
/// any time, even during a use: the owner is closed when the last use ends.
/// A use costs two plain stores and a few loads; Dispose pays for the ordering with a fence in all threads of the process.
/// </summary>
/// <remarks>A field of its owner; the rare steps get the owner as an argument. The owner is closed once, after the last use.</remarks>
internal struct UseGate
{
    // The number of the open use, which is odd; even while none is open.
    private long _use;
    private bool _disposed;
    private int _closed;

    /// <summary>Whether the owner is disposed: no further use begins, and the open one should end.</summary>
    public readonly bool IsDisposed => Volatile.Read(in _disposed);

    /// <summary>Whether a number is that of the open use.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsOpen(long use) => _use == use;

    /// <summary>Begins a use; <see cref="Exit"/> ends it.</summary>
    /// <returns>The number of the use, never 0.</returns>
    /// <exception cref="InvalidOperationException">Another use is open.</exception>
    /// <exception cref="ObjectDisposedException">The owner is disposed.</exception>
    /// <exception cref="StaleQueueException">The files of the queue are lost.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Enter(IGatedOwner owner)
    {
        var use = _use + 1;
        if (!IsNumber(use))
        {
            ThrowInUse();
        }

        Volatile.Write(ref _use, use);
        if (IsDisposed)
        {
            ExitAndThrowDisposed(owner);
        }

        return use;
    }

    /// <summary>Ends the open use, and closes the owner if it was disposed during the use.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit(IGatedOwner owner)
    {
        Volatile.Write(ref _use, (_use | 1) + 1);
        if (IsDisposed)
        {
            Close(owner);
        }
    }

    /// <summary>Closes the owner, or lets the use that is open close it.</summary>
    public void Dispose(IGatedOwner owner)
    {
        if (IsDisposed)
        {
            return;
        }

        Volatile.Write(ref _disposed, true);

        // A use that began before this fence is seen below; one that begins after it sees the flag.
        Interlocked.MemoryBarrierProcessWide();
        if (!IsNumber(Volatile.Read(ref _use)))
        {
            Close(owner);
        }
        else
        {
            owner.OnDisposedInUse();
        }
    }

    [DoesNotReturn]
    public static void ThrowDisposed(IGatedOwner owner) => throw owner.Loss ?? (Exception)new ObjectDisposedException(owner.ObjectName);

    [DoesNotReturn]
    public static void ThrowInUse() => throw new InvalidOperationException(
        "The last claim, delivery or loop is still open, or another thread is using this object. Commit or dispose it first; one object serves one thread.");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsNumber(long use) => (use & 1) != 0;

    private void Close(IGatedOwner owner)
    {
        if (Interlocked.Exchange(ref _closed, 1) == 0)
        {
            owner.Close();
        }
    }

    private void ExitAndThrowDisposed(IGatedOwner owner)
    {
        Exit(owner);
        ThrowDisposed(owner);
    }
}
