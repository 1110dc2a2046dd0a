namespace BufferedMessages.Segments;

/// <summary>
/// A fence shared unequally by two processes: the light side pays nothing, the heavy side pays for both.
/// A publisher must not read the count of waiters before its commit is visible. A full fence for that costs more than the whole
/// rest of a publish, so if the kernel has <c>membarrier</c> the waiter makes all publishers fence instead.
/// </summary>
internal static class ProcessFence
{
    /// <summary>
    /// The kernel fences this process on demand, so that <see cref="Light"/> is free here. Registered once per process;
    /// a constant for the compiler afterwards.
    /// </summary>
    public static readonly bool IsAsymmetric = LinuxKernel.IsSupported && LinuxKernel.RegisterForGlobalBarrier();

    /// <summary>The publisher's side, between its store and its load.</summary>
    public static void Light()
    {
        if (!IsAsymmetric)
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
}
