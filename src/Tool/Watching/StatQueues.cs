namespace BufferedMessages.Tool;

/// <summary>The queues that are sampled together. One that is damaged, deleted or cannot be read is left out from then on, and the others go on. Serves one thread at a time.</summary>
internal sealed class StatQueues : IDisposable
{
    private readonly List<QueueMeter> _meters = [];
    private readonly List<(string Path, string Fault)> _lost = [];

    // How many of the lost ones were reported.
    private int _reported;

    private StatQueues()
    {
    }

    /// <summary>Gets the exit code for those that are left out.</summary>
    public ExitCode Code { get; private set; }

    /// <summary>Gets the names of those that are left out.</summary>
    public IEnumerable<string> Lost => _lost.Select(static queue => Path.GetFileName(queue.Path));

    /// <summary>Opens queues.</summary>
    /// <param name="call">Is told of each one that cannot be read if none can; the last one is the exception.</param>
    /// <param name="given">The queues, as the command line has them.</param>
    /// <exception cref="ToolException">One of them is missing, or none of them can be read.</exception>
    public static StatQueues Open(Call call, IEnumerable<string> given)
    {
        var queues = new StatQueues();
        try
        {
            foreach (var path in given.Select(static queue => TargetResolver.Find(queue, TargetKind.Queue).Path).ToList())
            {
                queues.Add(path);
            }

            queues.RequireOne();
            return queues;
        }
        catch
        {
            queues.Dispose();
            queues.Report(call);
            throw;
        }
    }

    /// <summary>Gives the last samples without rates.</summary>
    public IReadOnlyList<QueueRates> WithoutRates() => [.. _meters.Select(static meter => meter.WithoutRates())];

    /// <summary>Takes a sample of each.</summary>
    /// <exception cref="ToolException">None of them can be read any longer.</exception>
    public IReadOnlyList<QueueRates> Sample()
    {
        var samples = new List<QueueRates>();
        foreach (var meter in _meters.ToList())
        {
            try
            {
                samples.Add(meter.Sample());
            }
            catch (Exception exception) when (Failures.CodeOf(exception) is { } code)
            {
                _meters.Remove(meter);
                meter.Dispose();
                LeaveOut(meter.QueuePath, exception, code);
            }
        }

        RequireOne();
        return samples;
    }

    /// <summary>Says on the standard error which queues are left out, and why, each once.</summary>
    public void Report(Call call)
    {
        for (; _reported < _lost.Count; _reported++)
        {
            call.Remark($"'{_lost[_reported].Path}' is left out: {_lost[_reported].Fault}");
        }
    }

    public void Dispose() => _meters.ForEach(static meter => meter.Dispose());

    private void Add(string path)
    {
        try
        {
            _meters.Add(QueueMeter.Open(path));
        }
        catch (Exception exception) when (Failures.CodeOf(exception) is { } code)
        {
            LeaveOut(path, exception, code);
        }
    }

    private void LeaveOut(string path, Exception exception, ExitCode code)
    {
        _lost.Add((path, exception.Message));
        Code = code > Code ? code : Code;
    }

    // The last one ends the command with its own fault.
    private void RequireOne()
    {
        if (_meters.Count == 0)
        {
            var fault = _lost[^1].Fault;
            _lost.RemoveAt(_lost.Count - 1);
            throw new ToolException(fault, Code);
        }
    }
}
