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
    private bool _isCrowded;

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

        Insert(state);
        if (_states.Count > MostStates)
        {
            Reduce();
        }

        return true;
    }

    private void Insert(FlowState state)
    {
        while (_states.Find(known => known.HasFactsOf(state) || IsSimilar(known, state) || state.Covers(known)) is { } similar)
        {
            _states.Remove(similar);
            state = similar.Join(state);
        }

        _states.Add(state);
    }

    // A join of states that differ in several conditions forgets which outcomes occur together.
    private bool IsSimilar(FlowState known, FlowState state) => (_isCrowded || known.DiffersInOneFact(state)) && known.HasValuesOf(state);

    private void Reduce()
    {
        if (!_isCrowded)
        {
            _isCrowded = true;
            var states = _states.ToArray();
            _states.Clear();
            foreach (var state in states)
            {
                Insert(state);
            }
        }

        if (_states.Count > MostStates)
        {
            var merged = FlowState.Merge(_states);
            _states.Clear();
            _states.Add(merged);
        }
    }
}
