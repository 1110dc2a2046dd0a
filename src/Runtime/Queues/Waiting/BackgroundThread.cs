namespace BufferedMessages.Queues;

/// <summary>A thread of a queue handle, with a reference of its own to the control map, which it releases at its end.</summary>
internal static class BackgroundThread
{
    /// <summary>Starts a thread.</summary>
    /// <returns>False if the control map is closed.</returns>
    /// <exception cref="OutOfMemoryException">The system has no room for another thread: not enough memory, or too many open files. No reference is kept.</exception>
    public static bool TryStart(ControlMap control, ThreadStart run, string name)
    {
        if (!control.TryAddReference())
        {
            return false;
        }

        try
        {
            new Thread(run) { IsBackground = true, Name = name }.UnsafeStart();
            return true;
        }
        catch
        {
            control.Release();
            throw;
        }
    }
}
