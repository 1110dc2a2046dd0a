using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Whether a producer takes cache lines before it writes to them is decided by the time that both ways take.</summary>
public sealed class LineTrialsTests
{
    private const int Periods = 100;
    private LineTrials _trials;
    private bool _takes;

    [Theory]
    [InlineData(2_000, 3_000, true)]
    [InlineData(3_000, 2_000, false)]
    public void The_faster_way_is_used_in_all_windows_but_those_of_a_trial(long ifTaken, long otherwise, bool takes)
    {
        Run(Periods, ifTaken, otherwise);

        Assert.Equal(takes ? LineTrials.Period - LineTrials.TrialWindows : LineTrials.TrialWindows, Run(1, ifTaken, otherwise));
    }

    [Fact]
    public void The_other_way_is_used_when_it_has_become_faster()
    {
        Run(Periods, ifTaken: 2_000, otherwise: 3_000);
        Run(Periods, ifTaken: 2_000, otherwise: 1_500);
        Assert.Equal(LineTrials.TrialWindows, Run(1, ifTaken: 2_000, otherwise: 1_500));

        Run(Periods, ifTaken: 1_000, otherwise: 1_500);
        Assert.Equal(LineTrials.Period - LineTrials.TrialWindows, Run(1, ifTaken: 1_000, otherwise: 1_500));
    }

    [Fact]
    public void One_slow_window_does_not_change_the_way()
    {
        Run(Periods, ifTaken: 2_000, otherwise: 3_000);

        Run(1, ifTaken: 2_000, otherwise: 3_000, slowest: 10_000);

        Assert.Equal(LineTrials.Period - LineTrials.TrialWindows, Run(1, ifTaken: 2_000, otherwise: 3_000));
    }

    // Returns the windows whose lines were taken.
    private int Run(int periods, long ifTaken, long otherwise, long slowest = 0)
    {
        var taken = 0;
        for (var window = 0; window < periods * LineTrials.Period; window++)
        {
            _takes = _trials.Next(Math.Max(_takes ? ifTaken : otherwise, window == LineTrials.Period / 2 ? slowest : 0));
            taken += _takes ? 1 : 0;
        }

        return taken;
    }
}
