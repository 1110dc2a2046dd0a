namespace BufferedMessages.Generator.Analysis;

/// <summary>The knowledge about the values of a variable.</summary>
/// <param name="Values">The possible values.</param>
/// <param name="IsDoubtful">Other code has run since, which may have assigned the variable.</param>
/// <param name="Origin">The condition that was assigned to the variable, as in <c>var ok = error is null</c>; null if there is none.</param>
internal sealed record Fact(ValueSet Values, bool IsDoubtful = false, Condition? Origin = null)
{
    /// <summary>Gets whether nothing is known.</summary>
    public bool IsEmpty => Origin is null && Values == ValueSet.All;

    /// <summary>Creates the knowledge of possible values; null if nothing is known of them.</summary>
    public static Fact? Of(ValueSet? values) => values is null ? null : new Fact(values);

    /// <summary>Joins the knowledge of two paths.</summary>
    public Fact Join(Fact other) => new(Values.Union(other.Values), IsDoubtful || other.IsDoubtful, Origin?.Join(other.Origin));

    /// <summary>Determines whether this knowledge includes the other one.</summary>
    public bool Covers(Fact other) => (IsDoubtful || !other.IsDoubtful) && (Origin is null || Origin.Covers(other.Origin)) && Values.Includes(other.Values);

    /// <summary>
    /// Determines whether a join of the two facts with those about another variable forgets which of them occur together. A common origin tells that also after the
    /// join.
    /// </summary>
    public bool DiffersFrom(Fact other) => Origin is null ? other.Origin is not null || Values != other.Values : !Origin.IsSame(other.Origin);
}

/// <summary>A condition that depends on the values of a variable.</summary>
/// <param name="Variable">The variable, or the two that the condition compares.</param>
/// <param name="WhenTrue">Its values if the condition is true.</param>
/// <param name="WhenFalse">Its values if the condition is false.</param>
/// <param name="IsDoubtful">Other code has run since, which may have assigned the variable.</param>
internal sealed record Condition(object Variable, ValueSet WhenTrue, ValueSet WhenFalse, bool IsDoubtful = false)
{
    /// <summary>Gets the opposite condition.</summary>
    public Condition Negated => this with { WhenTrue = WhenFalse, WhenFalse = WhenTrue };

    /// <summary>Gets the only outcome that a condition has with these values of its variable; null if it may have both.</summary>
    public static ValueSet? Outcome(ValueSet values, ValueSet whenTrue, ValueSet whenFalse) =>
        values.Intersect(whenTrue).IsEmpty ? ValueSet.False
        : values.Intersect(whenFalse).IsEmpty ? ValueSet.True
        : null;

    /// <summary>Gets the values of the variable with an outcome; null if the outcome is open.</summary>
    public ValueSet? ValuesWith(ValueSet outcome) => outcome == ValueSet.True ? WhenTrue : outcome == ValueSet.False ? WhenFalse : null;

    /// <summary>Joins the conditions of two paths; null if they differ.</summary>
    public Condition? Join(Condition? other) => IsSame(other) ? this with { IsDoubtful = IsDoubtful || other!.IsDoubtful } : null;

    /// <summary>Determines whether this condition includes the other one.</summary>
    public bool Covers(Condition? other) => IsSame(other) && (IsDoubtful || !other!.IsDoubtful);

    /// <summary>Determines whether two conditions are the same, apart from doubts.</summary>
    public bool IsSame(Condition? other) => other is not null && this with { IsDoubtful = other.IsDoubtful } == other;
}

/// <summary>The key of the order of two variables: -1 if the left one is less than the right one, 0 if they are equal, 1 if it is greater.</summary>
/// <param name="Left">The left variable.</param>
/// <param name="Right">The right variable, or the value of a constant.</param>
internal sealed record Comparison(object Left, object Right)
{
    /// <summary>Determines whether a key is one of these variables, or the key of their order.</summary>
    public static bool IsOf(object key, HashSet<object> variables) =>
        variables.Contains(key) || (key is Comparison comparison && (variables.Contains(comparison.Left) || variables.Contains(comparison.Right)));
}
