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

    /// <summary>Joins the states of several paths, and forgets their conditions. A value stays known only if its lifetime is the same on each of them, because a later condition may exclude one of the paths.</summary>
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

    /// <summary>Gets the variables whose possible values are known, or were known before other code ran, and those that decide known conditions.</summary>
    public IEnumerable<object> Known => _facts.Keys.Concat(_facts.Values.Select(static fact => fact.Origin?.Variable).OfType<object>());

    /// <summary>Gets the possible values of a variable; null if nothing is known of them.</summary>
    public ValueSet? FactOf(object variable) => _facts.TryGetValue(variable, out var fact) && !fact.IsDoubtful ? fact.Values : null;

    /// <summary>Gets the condition that decides another one: the origin of a flag that it tests, or the condition itself.</summary>
    public Condition OriginOf(Condition condition) =>
        !_facts.TryGetValue(condition.Variable, out var fact) || fact.IsDoubtful || fact.Origin is not { } origin ? condition
        : condition.WhenTrue == ValueSet.True ? origin
        : origin.Negated;

    /// <summary>Assigns a variable. The knowledge about its former value ends.</summary>
    public FlowState Learn(object variable, Fact? fact)
    {
        var rest = Unlearn([variable]);
        return fact is null || (fact.Origin is { } origin && Comparison.IsOf(origin.Variable, [variable])) ? rest : rest.Know(variable, fact);
    }

    /// <summary>Forgets the possible values of variables.</summary>
    public FlowState Unlearn(IEnumerable<object> variables)
    {
        var forgotten = new HashSet<object>(variables);
        var facts = _facts;
        foreach (var pair in _facts)
        {
            if (Comparison.IsOf(pair.Key, forgotten))
            {
                facts = facts.Remove(pair.Key);
            }
            else if (pair.Value.Origin is { } origin && Comparison.IsOf(origin.Variable, forgotten))
            {
                facts = facts.SetItem(pair.Key, Decided(pair.Value, origin));
            }
        }

        return WithFacts(facts);
    }

    /// <summary>Notes that other code may have assigned variables.</summary>
    public FlowState Doubt(IEnumerable<object> variables)
    {
        var doubted = new HashSet<object>(variables);
        var facts = _facts;
        foreach (var pair in _facts)
        {
            var fact = Comparison.IsOf(pair.Key, doubted) ? pair.Value with { IsDoubtful = true } : pair.Value;
            facts = facts.SetItem(pair.Key, fact.Origin is { } origin && Comparison.IsOf(origin.Variable, doubted) ? fact with { Origin = origin with { IsDoubtful = true } } : fact);
        }

        return WithFacts(facts);
    }

    /// <summary>Notes that other code, which has run, may have assigned only these values to a variable. On a path where it has another one, no value is known that was assigned before.</summary>
    public FlowState Doubt(object variable, ValueSet values) => Know(variable, _facts.TryGetValue(variable, out var known)
        ? known with { Values = known.Values.Intersect(values), IsDoubtful = true }
        : new Fact(values, IsDoubtful: true));

    /// <summary>
    /// Gets the state on the path where a variable has one of these values; null if it can have none of them. A path that exists only if other code has assigned the
    /// variable is followed, but no value that was assigned before it: most programs do not take such a path.
    /// </summary>
    /// <param name="variable">The variable.</param>
    /// <param name="values">The values.</param>
    /// <param name="isDoubtful">Other code has run since the variable had one of them.</param>
    public FlowState? Assume(object variable, ValueSet values, bool isDoubtful = false)
    {
        var fact = _facts.TryGetValue(variable, out var known) ? known : new Fact(ValueSet.All, isDoubtful);
        var rest = fact.Values.Intersect(values);
        if (rest.IsEmpty)
        {
            return values.IsEmpty ? null
                : isDoubtful ? Lose()
                : fact.IsDoubtful ? Lose().Learn(variable, new Fact(values))
                : null;
        }

        if (values == ValueSet.All)
        {
            return this;
        }

        var state = isDoubtful && !fact.IsDoubtful ? this : Know(variable, fact with { Values = rest, IsDoubtful = isDoubtful });
        return fact.Origin is { } origin && origin.ValuesWith(rest) is { } decisive
            ? state.Assume(origin.Variable, decisive, isDoubtful || fact.IsDoubtful || origin.IsDoubtful)
            : state;
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
            if (other._facts.TryGetValue(pair.Key, out var fact) && pair.Value.Join(fact) is { IsEmpty: false } joined)
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

    private FlowState Lose() => Update(static value => value.AsLost()).Know(Unlikely, new Fact(ValueSet.True));

    private FlowState Know(object variable, Fact fact) => WithFacts(fact.IsEmpty ? _facts.Remove(variable) : _facts.SetItem(variable, fact));

    // The condition is decided by the facts about its variable before the assignment.
    private Fact Decided(Fact fact, Condition origin)
    {
        var outcome = !origin.IsDoubtful && FactOf(origin.Variable) is { } known ? Condition.Outcome(known, origin.WhenTrue, origin.WhenFalse) : null;
        var values = outcome is null ? fact.Values : fact.Values.Intersect(outcome);
        return new Fact(values.IsEmpty ? fact.Values : values, fact.IsDoubtful);
    }

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
