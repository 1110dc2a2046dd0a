namespace BufferedMessages.Hosting.Torture;

/// <summary>Compares the journal and the dead letters of one handler with the messages.</summary>
internal sealed class HandlerCheck
{
    private readonly IReadOnlyList<Mischief> _mischief;
    private readonly int _handler;
    private readonly MessageTrace[] _traces;
    private long _highest = -1;

    /// <param name="handler">The number of the handler.</param>
    /// <param name="mischief">The mischief of each published message for it.</param>
    /// <param name="journal">The journal.</param>
    /// <param name="letters">Its dead letters.</param>
    public HandlerCheck(int handler, IReadOnlyList<Mischief> mischief, IEnumerable<JournalRecord> journal, IReadOnlyList<Letter> letters)
    {
        _handler = handler;
        _mischief = mischief;
        _traces = new MessageTrace[mischief.Count];
        foreach (var record in journal)
        {
            if (record.Handler == handler)
            {
                Take(record);
            }
        }

        Letters = letters.Count;
        foreach (var group in letters.GroupBy(static letter => letter.Number))
        {
            Judge((int)group.Key, [.. group]);
        }

        var mustBeLetters = Enumerable.Range(0, mischief.Count).Where(number => mischief[number] is Mischief.Throw or Mischief.KillAlways);
        Unparked += mustBeLetters.Count(number => !_traces[number].HasLetter && !_traces[number].IsDone);
        Lost = _traces.Count(static trace => !trace.HasLetter && !trace.IsDone);
        Handled = _traces.Count(static trace => trace.IsDone);
    }

    public long Handled { get; }

    /// <summary>Attempts with the flag that a message was perhaps handled before.</summary>
    public long Flagged { get; private set; }

    public long Letters { get; }

    /// <summary>Messages that kill the process at each attempt, and are dead letters.</summary>
    public long Parked { get; private set; }

    /// <summary>Their dead letters that say exactly as many attempts as are allowed. A process that dies while it stores one adds an attempt.</summary>
    public long Exact { get; private set; }

    /// <summary>Parked messages during whose attempts the handler handled others.</summary>
    public long Overtaken { get; private set; }

    /// <summary>Messages that are neither handled nor dead letters.</summary>
    public long Lost { get; }

    /// <summary>Attempts at messages that another attempt had begun with, without a sign of it.</summary>
    public long Unflagged { get; private set; }

    /// <summary>Attempts of the ordered handler at messages before one that it had begun with.</summary>
    public long Disordered { get; private set; }

    /// <summary>Messages that are dead letters without a reason, too late or too early, or should be ones.</summary>
    public long Unparked { get; private set; }

    /// <summary>How much work was done until now.</summary>
    private long Done { get; set; }

    private void Take(in JournalRecord record)
    {
        ref var trace = ref _traces[record.Number];
        switch (record.Step)
        {
            case HandlerStep.Begun:
                Flagged += record.IsRedelivery ? 1 : 0;
                Unflagged += trace.IsKnown(record) ? 0 : 1;
                trace.Begin(record);
                Disordered += _handler == HandlerNames.Ordered && record.Number < _highest ? 1 : 0;
                _highest = Math.Max(_highest, record.Number);
                break;
            case HandlerStep.Kill:
                trace.Kill(Done);
                break;
            default:
                Done++;
                trace.IsDone = true;
                break;
        }
    }

    private void Judge(int number, IReadOnlyList<Letter> letters)
    {
        ref var trace = ref _traces[number];
        trace.HasLetter = true;
        var isFatal = _mischief[number] == Mischief.KillAlways;
        var mayThrow = _mischief[number] == Mischief.Throw;
        var isRight = letters.All(letter => letter.Source == letters[0].Source && (letter.IsThrown ? mayThrow && letter.Attempts >= TortureRules.Throws : letter.Attempts >= TortureRules.MaxDeaths))
            && trace.Kills <= (isFatal ? TortureRules.MaxDeaths * letters.Count : 1)
            && !(isFatal && trace.IsDone);
        Unparked += isRight ? 0 : 1;
        Parked += isFatal ? 1 : 0;
        Exact += isFatal ? letters.Count(static letter => letter.Attempts == TortureRules.MaxDeaths) : 0;
        Overtaken += isFatal && trace.DoneAtLastKill > trace.DoneAtFirstKill ? 1 : 0;
    }
}
