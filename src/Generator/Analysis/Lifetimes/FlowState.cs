using System.Collections.Immutable;
using System.Numerics;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The known facts at a point of a method, about its variables and about evaluated conditions. A variable is a symbol, or the id of a compiler
/// temporary. Immutable.
/// </summary>
internal sealed class FlowState
{
    /// <summary>The state at the start of a method.</summary>
    public static readonly FlowState Empty = new(
        ImmutableDictionary<object, Holding>.Empty,
        ImmutableDictionary<object, Fact>.Empty);

    // The key of a fact that keeps the state of an unlikely path apart from those of the others.
    private static readonly object Unlikely = new();

    private readonly ImmutableDictionary<object, Holding> _values;
    private readonly ImmutableDictionary<object, Fact> _facts;

    private FlowState(ImmutableDictionary<object, Holding> values, ImmutableDictionary<object, Fact> facts)
    {
        _values = values;
        _facts = facts;
    }

    /// <summary>Gets the facts about a variable; null if there are none.</summary>
    public Holding? this[object variable] => _values.TryGetValue(variable, out var value) ? value : null;

    /// <summary>Assigns a value to a variable.</summary>
    public FlowState With(object variable, Holding value) => WithValues(value.IsEmpty ? _values.Remove(variable) : _values.SetItem(variable, value));

    /// <summary>Joins the states of several paths whose conditions are forgotten. A value whose lifetime is not the same on all of them is no longer followed, because a later condition may exclude one of the paths.</summary>
    public static FlowState Merge(List<FlowState> states)
    {
        var merged = states.Aggregate(static (all, one) => all.Join(one));
        var values = merged._values;
        foreach (var pair in merged._values)
        {
            if (!states.TrueForAll(state => state[pair.Key]?.HasLifetimeOf(pair.Value) == true))
            {
                values = values.SetItem(pair.Key, pair.Value.AsLost());
            }
        }

        return merged.WithValues(values);
    }

    /// <summary>Closes a holder, with all views of it.</summary>
    public FlowState Close(BigInteger holders, Closing closing) => Update(value =>
        Ends(value.Self, holders) || (value.Role is LifetimeRole.View or LifetimeRole.Part && Ends(value.From, holders)) ? End(value, closing) : value);

    /// <summary>Advances a holder: its earlier results are closed.</summary>
    public FlowState Advance(BigInteger holders, Closing closing) => Update(value =>
        value.Role is LifetimeRole.View or LifetimeRole.Part or LifetimeRole.Delivery && Ends(value.From, holders) ? End(value, closing) : value);

    /// <summary>Notes that a place creates a holder again. The previous one is distinguished from the new one; older ones are forgotten.</summary>
    /// <param name="current">The bit of the new holder.</param>
    /// <param name="former">The bit of the previous holder.</param>
    public FlowState Renew(BigInteger current, BigInteger former) => Update(value => value with
    {
        Self = Renew(value.Self, current, former),
        From = Renew(value.From, current, former),
    });

    /// <summary>Forgets all facts about some holders.</summary>
    public FlowState Forget(BigInteger holders) => Update(value => value with { Self = Without(value.Self, holders), From = Without(value.From, holders) });

    /// <summary>Gets the variables with known facts.</summary>
    public IEnumerable<object> Variables => _values.Keys;

    /// <summary>Gets the variables whose possible values are known, or were known before other code ran.</summary>
    public IEnumerable<object> Known => _facts.Keys;

    /// <summary>Gets the possible values of a variable; null if nothing is known of them.</summary>
    public ValueSet? FactOf(object variable) => _facts.TryGetValue(variable, out var fact) && !fact.IsDoubtful ? fact.Values : null;

    /// <summary>Sets the possible values of a variable; null if nothing is known of them.</summary>
    public FlowState Learn(object variable, ValueSet? values) => WithFacts(Fact.Of(values) is { } fact ? _facts.SetItem(variable, fact) : _facts.Remove(variable));

    /// <summary>Forgets the possible values of variables.</summary>
    public FlowState Unlearn(IEnumerable<object> variables) => WithFacts(_facts.RemoveRange(variables));

    /// <summary>Notes that other code may have assigned variables.</summary>
    public FlowState Doubt(IEnumerable<object> variables)
    {
        var facts = _facts;
        foreach (var variable in variables)
        {
            if (_facts.TryGetValue(variable, out var fact))
            {
                facts = facts.SetItem(variable, fact with { IsDoubtful = true });
            }
        }

        return WithFacts(facts);
    }

    /// <summary>
    /// Gets the state on the path where a variable has one of these values; null if it can have none of them. A path that exists only if other code has assigned the
    /// variable is followed, but no value that was assigned before it: most programs do not take such a path.
    /// </summary>
    public FlowState? Assume(object variable, ValueSet values)
    {
        var fact = _facts.TryGetValue(variable, out var known) ? known : new Fact(ValueSet.All);
        var rest = fact.Values.Intersect(values);
        return !rest.IsEmpty ? Learn(variable, rest)
            : fact.IsDoubtful && !values.IsEmpty ? Lose().Learn(variable, values)
            : null;
    }

    /// <summary>Joins the states of two paths.</summary>
    public FlowState Join(FlowState other)
    {
        var values = _values.ToBuilder();
        foreach (var pair in other._values)
        {
            values[pair.Key] = values.TryGetValue(pair.Key, out var value) ? value.Join(pair.Value) : pair.Value;
        }

        var facts = _facts.ToBuilder();
        foreach (var pair in _facts)
        {
            if (other._facts.TryGetValue(pair.Key, out var fact) && pair.Value.Join(fact) is { } joined)
            {
                facts[pair.Key] = joined;
            }
            else
            {
                facts.Remove(pair.Key);
            }
        }

        return new FlowState(values.ToImmutable(), facts.ToImmutable());
    }

    /// <summary>Determines whether this state includes the other one.</summary>
    public bool Covers(FlowState other) => ReferenceEquals(this, other) || (CoversFacts(other) && CoversValues(other));

    /// <summary>Determines whether two states have the same facts about values.</summary>
    public bool HasValuesOf(FlowState other) => ReferenceEquals(_values, other._values) || (CoversValues(other) && other.CoversValues(this));

    /// <summary>Determines whether two states differ in the possible values of at most one variable.</summary>
    public bool DiffersInOneFact(FlowState other) => !_facts.Keys.Union(other._facts.Keys).Where(variable => Differs(other, variable)).Skip(1).Any();

    /// <summary>Determines whether two states depend on the same conditions.</summary>
    public bool HasFactsOf(FlowState other) =>
        ReferenceEquals(_facts, other._facts) || (_facts.Count == other._facts.Count && _facts.All(fact => other._facts.TryGetValue(fact.Key, out var known) && known == fact.Value));

    private static bool Ends(BigInteger dependencies, BigInteger holders) => !(dependencies & holders).IsZero;

    private static Holding End(Holding value, Closing closing) => value.Closed is null ? value with { Closed = closing } : value;

    private static BigInteger Without(BigInteger holders, BigInteger those) => holders & ~those;

    private static BigInteger Renew(BigInteger holders, BigInteger current, BigInteger former)
    {
        var rest = Without(holders, current | former);
        return Ends(holders, current) ? rest | former : rest;
    }

    private bool Differs(FlowState other, object variable) =>
        !_facts.TryGetValue(variable, out var fact) || !other._facts.TryGetValue(variable, out var known) || fact.DiffersFrom(known);

    private bool CoversFacts(FlowState other) =>
        ReferenceEquals(_facts, other._facts) || _facts.All(fact => other._facts.TryGetValue(fact.Key, out var known) && fact.Value.Covers(known));

    private bool CoversValues(FlowState other) =>
        ReferenceEquals(_values, other._values) || other._values.All(pair => _values.TryGetValue(pair.Key, out var value) && value.Covers(pair.Value));

    private FlowState Lose() => Update(static value => value.AsLost()).Learn(Unlikely, ValueSet.True);

    private FlowState Update(Func<Holding, Holding> change)
    {
        var values = _values;
        foreach (var pair in _values)
        {
            var changed = change(pair.Value);
            if (changed != pair.Value)
            {
                values = values.SetItem(pair.Key, changed);
            }
        }

        return WithValues(values);
    }

    private FlowState WithValues(ImmutableDictionary<object, Holding> values) => ReferenceEquals(values, _values) ? this : new FlowState(values, _facts);

    private FlowState WithFacts(ImmutableDictionary<object, Fact> facts) => ReferenceEquals(facts, _facts) ? this : new FlowState(_values, facts);
}
