namespace BufferedMessages.Tool;

/// <summary>
/// The queues that are sampled together. One that is damaged, deleted or cannot be read is left out as long as that lasts, and the others go on. Serves one thread at a time.
/// </summary>
internal sealed class StatQueues : IDisposable
{
    private readonly List<StatQueue> _queues = [];
    private readonly List<string> _remarks = [];
    private string _lastFault = "";

    private StatQueues()
    {
    }

    /// <summary>Gets the exit code for those that were left out.</summary>
    public ExitCode Code { get; private set; }

    /// <summary>Gets the names of those that are left out.</summary>
    public IEnumerable<string> Lost => _queues.Where(static queue => queue.Meter is null).Select(static queue => Path.GetFileName(queue.Path));

    /// <summary>Opens queues.</summary>
    /// <param name="call">Is told of each one that cannot be read if none can; the last one is the exception.</param>
    /// <param name="given">The queues, as the command line has them.</param>
    /// <exception cref="ToolException">One of them is missing, or none of them can be read.</exception>
    public static StatQueues Open(Call call, IEnumerable<string> given)
    {
        var queues = new StatQueues();
        try
        {
            foreach (var path in given)
            {
                queues.Find(path);
            }

            foreach (var queue in queues._queues.Where(static queue => !queue.IsLeftOut))
            {
                queues.TryOpen(queue);
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
    public IReadOnlyList<QueueRates> WithoutRates() => [.. _queues.Select(static queue => queue.Meter).OfType<QueueMeter>().Select(static meter => meter.WithoutRates())];

    /// <summary>Takes a sample of each. One that was left out, and can be read again, has its first sample the next time.</summary>
    /// <exception cref="ToolException">None of them can be read any longer.</exception>
    public IReadOnlyList<QueueRates> Sample()
    {
        var samples = new List<QueueRates>();
        foreach (var queue in _queues)
        {
            if (queue.Meter is not { } meter)
            {
                TryOpen(queue);
                continue;
            }

            try
            {
                samples.Add(meter.Sample());
            }
            catch (Exception exception) when (Failures.CodeOf(exception) is { } code)
            {
                LeaveOut(queue, exception, code);
            }
        }

        RequireOne();
        return samples;
    }

    /// <summary>Says on the standard error which queues were left out since the last call, and why, and which can be read again.</summary>
    public void Report(Call call)
    {
        _remarks.ForEach(call.Remark);
        _remarks.Clear();
    }

    public void Dispose() => _queues.ForEach(static queue => queue.Meter?.Dispose());

    // One that is missing is a mistake of the command line. A folder that cannot be read may be a queue.
    private void Find(string given)
    {
        try
        {
            _queues.Add(new StatQueue(TargetResolver.Find(given, TargetKind.Queue).Path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            var queue = new StatQueue(Path.TrimEndingDirectorySeparator(Path.GetFullPath(given)));
            _queues.Add(queue);
            LeaveOut(queue, exception, ExitCode.Unanswered);
        }
    }

    private void TryOpen(StatQueue queue)
    {
        try
        {
            queue.Meter = QueueMeter.Open(queue.Path);
        }
        catch (Exception exception) when (Failures.CodeOf(exception) is { } code)
        {
            LeaveOut(queue, exception, code);
            return;
        }

        if (queue.IsLeftOut)
        {
            queue.IsLeftOut = false;
            _remarks.Add($"'{queue.Path}' can be read again.");
        }
    }

    private void LeaveOut(StatQueue queue, Exception exception, ExitCode code)
    {
        queue.Meter?.Dispose();
        queue.Meter = null;
        if (queue.IsLeftOut)
        {
            return;
        }

        queue.IsLeftOut = true;
        _lastFault = exception.Message;
        _remarks.Add($"'{queue.Path}' is left out: {_lastFault}");
        Code = code > Code ? code : Code;
    }

    // The last one ends the command with its own fault.
    private void RequireOne()
    {
        if (_queues.TrueForAll(static queue => queue.Meter is null))
        {
            _remarks.RemoveAt(_remarks.Count - 1);
            throw new ToolException(_lastFault, Code);
        }
    }

    private sealed class StatQueue(string path)
    {
        /// <summary>Gets the full path.</summary>
        public string Path { get; } = path;

        /// <summary>Gets or sets its samples; null while it cannot be read.</summary>
        public QueueMeter? Meter { get; set; }

        /// <summary>Gets or sets whether it was left out, and could not be read since.</summary>
        public bool IsLeftOut { get; set; }
    }
}
