namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// What may be known at a place: one state for each outcome of conditions that matter, so that <c>if (done) { commit } ... if (!done) { use }</c> is seen
/// to be right. States that say the same are one.
/// </summary>
internal sealed class FlowStates
{
    // Beyond it, conditions are forgotten: then a way is followed that no run can take.
    private const int MostStates = 8;

    private readonly List<FlowState> _states = [];

    /// <summary>The states.</summary>
    public IReadOnlyList<FlowState> All => _states;

    /// <summary>Adds the state of one more way to the place.</summary>
    /// <returns>False when nothing is new.</returns>
    public bool Add(FlowState state)
    {
        if (_states.Exists(known => known.Covers(state)))
        {
            return false;
        }

        while (_states.Find(known => known.HasFactsOf(state) || known.HasValuesOf(state) || state.Covers(known)) is { } similar)
        {
            _states.Remove(similar);
            state = similar.Join(state);
        }

        if (_states.Count == MostStates)
        {
            state = _states.Aggregate(state, static (all, one) => all.Join(one));
            _states.Clear();
        }

        _states.Add(state);
        return true;
    }
}
