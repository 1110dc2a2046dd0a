namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Processes started ahead, so that a killed one is replaced at once.</summary>
internal sealed class WorkerPool : IDisposable
{
    private readonly Queue<WorkerProcess> _spares = [];
    private readonly int _size;

    public WorkerPool(int size)
    {
        _size = size;
        Refill();
    }

    /// <summary>Takes one that waits for its role.</summary>
    public WorkerProcess Take() => _spares.TryDequeue(out var spare) ? spare : WorkerProcess.Start();

    /// <summary>Starts one if some are missing.</summary>
    public void Refill()
    {
        if (_spares.Count < _size)
        {
            _spares.Enqueue(WorkerProcess.Start());
        }
    }

    public void Dispose()
    {
        foreach (var spare in _spares)
        {
            spare.Dispose();
        }
    }
}
