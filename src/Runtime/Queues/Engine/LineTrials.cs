namespace BufferedMessages.Queues;

/// <summary>
/// Says whether the producer of a ring takes the cache lines of a window before it writes to them. That pays where a line passes slowly between two
/// processors, and costs time where it passes fast; so a part of the windows is written the other way, and the faster way becomes the usual one.
/// </summary>
internal struct LineTrials
{
    /// <summary>The number of windows from one trial to the next.</summary>
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
