using System.Numerics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>What is known of a value. Places that make holders are numbered, and sets of them are the bits of a number.</summary>
/// <param name="Role">What the value is.</param>
/// <param name="Self">Where it may have been made, if it is something that can be closed. Two values of the same place are the same holder.</param>
/// <param name="From">The holders whose end ends it.</param>
/// <param name="IsMessage">It belongs to a message, and not only to an array or a stream.</param>
/// <param name="Closed">Where its life may have ended; null while it lives on every way to here.</param>
internal readonly record struct Holding(LifetimeRole Role, BigInteger Self, BigInteger From, bool IsMessage = false, Closing? Closed = null)
{
    /// <summary>Itself, and what it depends on.</summary>
    public BigInteger All => Self | From;

    /// <summary>Nothing is known, and nothing can end it.</summary>
    public bool IsEmpty => All.IsZero && Closed is null;

    /// <summary>What a view of this value is.</summary>
    public Holding AsView() => Role == LifetimeRole.View ? this : new Holding(LifetimeRole.View, BigInteger.Zero, All, IsMessage);

    /// <summary>What is known where the ways meet on which one and the other are known.</summary>
    public Holding Join(Holding other) => new(
        Role,
        Self | other.Self,
        From | other.From,
        IsMessage || other.IsMessage,
        Closed is null || (other.Closed is not null && other.Closed.Position < Closed.Position) ? other.Closed : Closed);

    /// <summary>Whether this value allows for all that the other one does.</summary>
    public bool Covers(Holding other) => Join(other) == this;
}
