using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The possible values of a variable, as ordered ranges of whole numbers that neither touch nor overlap. A bool that is true is 1. Null is greater than every
/// number. Immutable.
/// </summary>
/// <param name="Ranges">The ranges, with the least and the greatest value of each.</param>
internal sealed record ValueSet(EquatableArray<(decimal Least, decimal Most)> Ranges)
{
    /// <summary>The set of a bool that is true.</summary>
    public static readonly ValueSet True = Of(1);

    /// <summary>The set of a bool that is false.</summary>
    public static readonly ValueSet False = Of(0);

    /// <summary>The set of both values of a bool.</summary>
    public static readonly ValueSet Booleans = Between(0, 1);

    /// <summary>The set of null.</summary>
    public static readonly ValueSet Null = Of(decimal.MaxValue);

    /// <summary>The set of all values but null.</summary>
    public static readonly ValueSet NotNull = AtMost(decimal.MaxValue - 1);

    /// <summary>The set of the texts that are empty or white space, whose numbers are negative.</summary>
    public static readonly ValueSet Blank = AtMost(-1);

    /// <summary>The set of all other texts.</summary>
    public static readonly ValueSet NotBlank = AtLeast(0);

    /// <summary>The set of all values.</summary>
    public static readonly ValueSet All = Between(decimal.MinValue, decimal.MaxValue);

    /// <summary>The empty set.</summary>
    public static readonly ValueSet None = new(default(EquatableArray<(decimal, decimal)>));

    /// <summary>Gets whether the set is empty.</summary>
    public bool IsEmpty => Ranges.Count == 0;

    /// <summary>Gets the only value of a set; null if it has none or several.</summary>
    public decimal? Single => Ranges is [var (least, most)] && least == most ? least : null;

    /// <summary>Gets the values that are not in the set.</summary>
    public ValueSet Complement
    {
        get
        {
            var gaps = new List<(decimal, decimal)>();
            decimal? next = decimal.MinValue;
            foreach (var (least, most) in Ranges)
            {
                if (next < least)
                {
                    gaps.Add((next.Value, least - 1));
                }

                next = most == decimal.MaxValue ? null : most + 1;
            }

            if (next is { } rest)
            {
                gaps.Add((rest, decimal.MaxValue));
            }

            return new ValueSet(new EquatableArray<(decimal, decimal)>(gaps));
        }
    }

    /// <summary>Creates the set of all values from one to another.</summary>
    public static ValueSet Between(decimal least, decimal most) => new(new EquatableArray<(decimal, decimal)>([(least, most)]));

    /// <summary>Creates the set of one value.</summary>
    public static ValueSet Of(decimal value) => Between(value, value);

    /// <summary>Creates the set of a number and all greater ones.</summary>
    public static ValueSet AtLeast(decimal value) => Between(value, decimal.MaxValue - 1);

    /// <summary>Creates the set of a number and all lesser ones.</summary>
    public static ValueSet AtMost(decimal value) => Between(decimal.MinValue, value);

    /// <summary>Gets the values that are in one of two sets.</summary>
    public ValueSet Union(ValueSet other)
    {
        var joined = new List<(decimal Least, decimal Most)>();
        foreach (var range in Ranges.Concat(other.Ranges).OrderBy(static range => range.Least))
        {
            if (joined.Count != 0 && joined[joined.Count - 1] is var last && (last.Most == decimal.MaxValue || range.Least <= last.Most + 1))
            {
                joined[joined.Count - 1] = (last.Least, Math.Max(last.Most, range.Most));
            }
            else
            {
                joined.Add(range);
            }
        }

        return new ValueSet(new EquatableArray<(decimal, decimal)>(joined));
    }

    /// <summary>Gets the values that are in both sets.</summary>
    public ValueSet Intersect(ValueSet other) => Complement.Union(other.Complement).Complement;

    /// <summary>Determines whether the set has all values of another one.</summary>
    public bool Includes(ValueSet other) => ReferenceEquals(this, other) || Union(other) == this;
}
