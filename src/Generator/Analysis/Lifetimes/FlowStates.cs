namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The possible states at a point: one for each outcome of relevant conditions, so that <c>if (done) { commit } ... if (!done) { use }</c> is accepted.
/// Equal states are merged.
/// </summary>
internal sealed class FlowStates
{
    // With more states, conditions are forgotten, and with them the lifetimes that depend on them.
    private const int MostStates = 8;

    private readonly List<FlowState> _states = [];

    /// <summary>Gets the states.</summary>
    public IReadOnlyList<FlowState> All => _states;

    /// <summary>Adds the state of one more path to the point.</summary>
    /// <returns>False if it adds nothing new.</returns>
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
            _states.Add(state);
            state = FlowState.Merge(_states);
            _states.Clear();
        }

        _states.Add(state);
        return true;
    }
}
