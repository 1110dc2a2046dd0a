namespace BufferedMessages.Segments;

/// <summary>
/// A fence shared unequally by two processes: the light side pays nothing, the heavy side pays for both.
/// A publisher must not read the count of waiters before its commit is visible. A full fence for that costs more than the whole
/// rest of a publish, so if the kernel has <c>membarrier</c> the waiter makes all publishers fence instead.
/// </summary>
internal static class ProcessFence
{
    private static int _isBegun;

    // The kernel fences this process on demand, so that the light side is free here. Set once, when that is so.
    private static bool _isAsymmetric;

    /// <summary>
    /// Registers the process with the kernel, if that is how it fences. The call takes ten milliseconds and more as soon as the process has
    /// several threads, so it is done beside the opening: until it has returned the light side fences itself. Only the first call does something.
    /// </summary>
    public static void Prepare()
    {
        if (LinuxKernel.IsSupported && Interlocked.Exchange(ref _isBegun, 1) == 0)
        {
            try
            {
                // Not a thread of the pool: to start the pool would take longer than to open the queue.
                new Thread(Register) { IsBackground = true, Name = "MessageQueue fence" }.UnsafeStart();
            }
            catch (OutOfMemoryException)
            {
                // The system has no room for another thread. The next opening tries again.
                Volatile.Write(ref _isBegun, 0);
            }
        }
    }

    /// <summary>The publisher's side, between its store and its load.</summary>
    public static void Light()
    {
        if (!Volatile.Read(ref _isAsymmetric))
        {
            Interlocked.MemoryBarrier();
        }
    }

    /// <summary>The waiter's side, between its store and its load.</summary>
    /// <returns>False if publishers of other processes may not have been fenced: then a wake-up can be missed.</returns>
    public static bool Heavy()
    {
        Interlocked.MemoryBarrier();
        return LinuxKernel.IsSupported && LinuxKernel.GlobalBarrier();
    }

    private static void Register() => Volatile.Write(ref _isAsymmetric, LinuxKernel.RegisterForGlobalBarrier());
}
