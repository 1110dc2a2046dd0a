namespace BufferedMessages.Generator.Analysis;

/// <summary>The knowledge about the values of a variable.</summary>
/// <param name="Values">The possible values.</param>
/// <param name="IsDoubtful">Other code has run since, which may have assigned the variable.</param>
internal sealed record Fact(ValueSet Values, bool IsDoubtful = false)
{
    /// <summary>Creates the knowledge of possible values; null if nothing is known of them.</summary>
    public static Fact? Of(ValueSet? values) => values is null || values == ValueSet.All ? null : new Fact(values);

    /// <summary>Joins the knowledge of two paths; null if nothing is known on both.</summary>
    public Fact? Join(Fact other)
    {
        var joined = Of(Values.Union(other.Values));
        return joined is null ? null : joined with { IsDoubtful = IsDoubtful || other.IsDoubtful };
    }

    /// <summary>Determines whether this knowledge includes the other one.</summary>
    public bool Covers(Fact other) => (IsDoubtful || !other.IsDoubtful) && Values.Includes(other.Values);

    /// <summary>Determines whether a join of the two facts with those about another variable forgets which of them occur together.</summary>
    public bool DiffersFrom(Fact other) => Values != other.Values;
}
