using System.Numerics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The facts about a value. Places that create holders are numbered; a set of holders is a bit mask.</summary>
/// <param name="Role">The role of the value.</param>
/// <param name="Self">The places that may have created it, if it can be closed. Two values of the same place are the same holder.</param>
/// <param name="From">The holders that it ends with.</param>
/// <param name="IsMessage">It belongs to a message, not only to an array or a stream.</param>
/// <param name="Closed">The place where its lifetime may have ended; null if it is open on every path.</param>
/// <param name="IsLost">Its holders can no longer be told. It neither ends nor ends others, until the variable is assigned.</param>
internal readonly record struct Holding(LifetimeRole Role, BigInteger Self, BigInteger From, bool IsMessage = false, Closing? Closed = null, bool IsLost = false)
{
    /// <summary>Gets its own bits, and those of the holders that it depends on.</summary>
    public BigInteger All => Self | From;

    /// <summary>Gets whether nothing is known about the value, so that nothing can end it.</summary>
    public bool IsEmpty => All.IsZero && Closed is null && !IsLost;

    /// <summary>Gets the facts about a view of this value.</summary>
    public Holding AsView() => Role == LifetimeRole.View ? this : new Holding(LifetimeRole.View, BigInteger.Zero, All, IsMessage || Role is LifetimeRole.Delivery or LifetimeRole.Holder or LifetimeRole.Part);

    /// <summary>Gets the facts about this value if its holders can no longer be told.</summary>
    public Holding AsLost() => new(Role, BigInteger.Zero, BigInteger.Zero, IsMessage, IsLost: true);

    /// <summary>Joins the facts of two paths.</summary>
    public Holding Join(Holding other) => IsLost || other.IsLost ? AsLost() with { IsMessage = IsMessage || other.IsMessage } : new(
        Role,
        Self | other.Self,
        From | other.From,
        IsMessage || other.IsMessage,
        Closed is null || (other.Closed is not null && other.Closed.Position < Closed.Position) ? other.Closed : Closed);

    /// <summary>Determines whether these facts include the others.</summary>
    public bool Covers(Holding other) => Join(other) == this;

    /// <summary>Determines whether two values have the same holders, and whether both or neither may have ended.</summary>
    public bool HasLifetimeOf(Holding other) => Self == other.Self && From == other.From && IsLost == other.IsLost && (Closed is null) == (other.Closed is null);
}
