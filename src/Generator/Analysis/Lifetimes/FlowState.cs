using System.Collections.Immutable;
using System.Numerics;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// What is known at a place of a method: of its variables, and of conditions that were asked. Variables are symbols, and the compiler's own
/// temporaries by their ids. Immutable.
/// </summary>
internal sealed class FlowState
{
    /// <summary>At the start of a method.</summary>
    public static readonly FlowState Empty = new(
        ImmutableDictionary<object, Holding>.Empty,
        ImmutableDictionary.Create<ISymbol, bool>(SymbolEqualityComparer.Default));

    private readonly ImmutableDictionary<object, Holding> _values;
    private readonly ImmutableDictionary<ISymbol, bool> _facts;

    private FlowState(ImmutableDictionary<object, Holding> values, ImmutableDictionary<ISymbol, bool> facts)
    {
        _values = values;
        _facts = facts;
    }

    /// <summary>What is known of a variable; null when nothing was noted.</summary>
    public Holding? this[object variable] => _values.TryGetValue(variable, out var value) ? value : null;

    /// <summary>A variable gets a value.</summary>
    public FlowState With(object variable, Holding value) => WithValues(value.IsEmpty ? _values.Remove(variable) : _values.SetItem(variable, value));

    /// <summary>A holder is closed, with all views of it.</summary>
    public FlowState Close(BigInteger holders, Closing closing) => Update(value =>
        Ends(value.Self, holders) || (value.Role is LifetimeRole.View or LifetimeRole.Part && Ends(value.From, holders)) ? End(value, closing) : value);

    /// <summary>A holder goes on: what it gave is closed.</summary>
    public FlowState Advance(BigInteger holders, Closing closing) => Update(value =>
        value.Role is LifetimeRole.View or LifetimeRole.Part or LifetimeRole.Delivery && Ends(value.From, holders) ? End(value, closing) : value);

    /// <summary>A place makes a holder again. The one that it made before is told apart from the new one; those before that are forgotten.</summary>
    /// <param name="current">The place's bit.</param>
    /// <param name="former">The bit of what it made before.</param>
    public FlowState Renew(BigInteger current, BigInteger former) => Update(value => value with
    {
        Self = Renew(value.Self, current, former),
        From = Renew(value.From, current, former),
    });

    /// <summary>Nothing is known of some holders any more.</summary>
    public FlowState Forget(BigInteger holders) => Update(value => value with { Self = Without(value.Self, holders), From = Without(value.From, holders) });

    /// <summary>The variables that something is known of.</summary>
    public IEnumerable<object> Variables => _values.Keys;

    /// <summary>What a variable says: true, or null for references.</summary>
    public bool? FactOf(ISymbol variable) => _facts.TryGetValue(variable, out var fact) ? fact : null;

    /// <summary>A variable says this from now on; null if it is not known what.</summary>
    public FlowState Learn(ISymbol variable, bool? fact) =>
        fact is { } known ? WithFacts(_facts.SetItem(variable, known)) : WithFacts(_facts.Remove(variable));

    /// <summary>The way on which a variable says this; null if there is none.</summary>
    public FlowState? Assume(ISymbol variable, bool fact) => FactOf(variable) == !fact ? null : Learn(variable, fact);

    /// <summary>What is known where two ways meet.</summary>
    public FlowState Join(FlowState other)
    {
        var values = _values.ToBuilder();
        foreach (var pair in other._values)
        {
            values[pair.Key] = values.TryGetValue(pair.Key, out var value) ? value.Join(pair.Value) : pair.Value;
        }

        return new FlowState(values.ToImmutable(), _facts.RemoveRange(_facts.Keys.Where(variable => other.FactOf(variable) != _facts[variable])));
    }

    /// <summary>Whether this state allows for all that the other one does.</summary>
    public bool Covers(FlowState other) =>
        ReferenceEquals(this, other)
        || (_facts.All(fact => other.FactOf(fact.Key) == fact.Value) && CoversValues(other));

    /// <summary>Whether two states tell the same of the values.</summary>
    public bool HasValuesOf(FlowState other) => ReferenceEquals(_values, other._values) || (CoversValues(other) && other.CoversValues(this));

    /// <summary>Whether two states rest on the same conditions.</summary>
    public bool HasFactsOf(FlowState other) => _facts.Count == other._facts.Count && _facts.All(fact => other.FactOf(fact.Key) == fact.Value);

    private static bool Ends(BigInteger dependencies, BigInteger holders) => !(dependencies & holders).IsZero;

    private static Holding End(Holding value, Closing closing) => value.Closed is null ? value with { Closed = closing } : value;

    private static BigInteger Without(BigInteger holders, BigInteger those) => holders & ~those;

    private static BigInteger Renew(BigInteger holders, BigInteger current, BigInteger former)
    {
        var rest = Without(holders, current | former);
        return Ends(holders, current) ? rest | former : rest;
    }

    private bool CoversValues(FlowState other) =>
        ReferenceEquals(_values, other._values) || other._values.All(pair => _values.TryGetValue(pair.Key, out var value) && value.Covers(pair.Value));

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

    private FlowState WithFacts(ImmutableDictionary<ISymbol, bool> facts) => ReferenceEquals(facts, _facts) ? this : new FlowState(_values, facts);
}
