namespace BufferedMessages.Queues;

/// <summary>
/// The choice whether the producer of a ring takes the cache lines of a window before it writes to them. That pays where lines move slowly between two
/// processors, and costs time where they move fast. So some windows are written the other way as a trial, and the faster way becomes the usual one.
/// </summary>
internal struct LineTrials
{
    /// <summary>The number of windows between the starts of two trials.</summary>
    public const int Period = 64;

    /// <summary>The number of windows in a trial.</summary>
    public const int TrialWindows = 4;

    // The averages are those of about this many windows.
    private const int Weight = 16;

    private double _ticksIfTaken;
    private double _ticksOtherwise;
    private bool _takesUsually;
    private bool _takes;
    private int _window;

    /// <summary>Decides for the next window.</summary>
    /// <param name="ticks">The time that the last window took.</param>
    public bool Next(long ticks)
    {
        ref var average = ref _takes ? ref _ticksIfTaken : ref _ticksOtherwise;
        average = average == 0 ? ticks : average + ((ticks - average) / Weight);
        _window = (_window + 1) % Period;
        if (_window == TrialWindows)
        {
            _takesUsually = _ticksIfTaken < _ticksOtherwise;
        }

        _takes = _window < TrialWindows ? !_takesUsually : _takesUsually;
        return _takes;
    }
}
