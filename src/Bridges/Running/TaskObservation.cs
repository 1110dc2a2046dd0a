namespace BufferedMessages.Bridges;

/// <summary>Waits that may be left open.</summary>
internal static class TaskObservation
{
    /// <summary>Takes note of the failure of a task that is perhaps not awaited, because its connection ends by another failure. Otherwise <see cref="TaskScheduler.UnobservedTaskException"/> would report it.</summary>
    public static void ObserveFailure(this Task task) =>
        _ = task.ContinueWith(static failed => failed.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
}
