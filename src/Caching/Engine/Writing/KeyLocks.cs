using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// The locks under which the index is changed: one for each of 256 groups of hashes. They are held for a moment, so a thread that waits spins, and then yields. A lock costs one locked
/// instruction, and is not reentrant.
/// </summary>
internal sealed class KeyLocks
{
    private const int Count = 256;

    // Two lines of the processor's cache, which some processors load together.
    private const int Spacing = 128 / sizeof(int);

    private readonly int[] _locks = new int[(Count + 1) * Spacing];

    public void Enter(ulong hash)
    {
        ref var gate = ref Of(hash);
        if (Interlocked.CompareExchange(ref gate, 1, 0) != 0)
        {
            Await(ref gate);
        }
    }

    public bool TryEnter(ulong hash) => Interlocked.CompareExchange(ref Of(hash), 1, 0) == 0;

    public void Exit(ulong hash)
    {
        Debug.Assert(IsHeld(hash), "The lock of another thread would be opened.");
        Volatile.Write(ref Of(hash), 0);
    }

    /// <summary>Determines whether any thread holds the lock.</summary>
    public bool IsHeld(ulong hash) => Volatile.Read(ref Of(hash)) != 0;

    public void EnterAll()
    {
        for (var i = 0UL; i < Count; i++)
        {
            Enter(i);
        }
    }

    /// <summary>Waits until the changes that are under way have ended.</summary>
    public void PassAll()
    {
        for (var i = 0UL; i < Count; i++)
        {
            Enter(i);
            Exit(i);
        }
    }

    public void ExitAll()
    {
        for (var i = 0UL; i < Count; i++)
        {
            Exit(i);
        }
    }

    private static void Await(ref int gate)
    {
        var spin = new SpinWait();
        do
        {
            spin.SpinOnce();
        }
        while (Volatile.Read(ref gate) != 0 || Interlocked.CompareExchange(ref gate, 1, 0) != 0);
    }

    private ref int Of(ulong hash) => ref _locks[((int)(hash % Count) + 1) * Spacing];
}
