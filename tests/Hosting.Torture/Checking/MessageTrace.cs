namespace BufferedMessages.Hosting.Torture;

/// <summary>The steps of a handler with one message.</summary>
internal struct MessageTrace
{
    private bool _isBegun;
    private int _life;
    private int _attempt;

    public bool IsDone { get; set; }

    public bool HasLetter { get; set; }

    /// <summary>How often the message killed a process.</summary>
    public int Kills { get; private set; }

    public long DoneAtFirstKill { get; private set; }

    public long DoneAtLastKill { get; private set; }

    /// <summary>Whether the attempt says that others were before it, if there were: by the flag, or in the same process by its number.</summary>
    public readonly bool IsKnown(in JournalRecord record) =>
        !_isBegun || (record.Life == _life ? record.Attempt > _attempt : record.IsRedelivery && record.Attempt > 1);

    public void Begin(in JournalRecord record) => (_isBegun, _life, _attempt) = (true, record.Life, record.Attempt);

    /// <param name="done">How much work the handler had done.</param>
    public void Kill(long done)
    {
        DoneAtFirstKill = Kills == 0 ? done : DoneAtFirstKill;
        DoneAtLastKill = done;
        Kills++;
    }
}
