namespace BufferedMessages;

/// <summary>
/// The reservation of the ordinal of a removed member. It keeps the later members in their place in the message, so that old and new
/// programs can read each other's messages. It applies to derived types too. On a union it reserves the number of a removed case,
/// so that no other case gets it. Never remove it while such messages exist.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, AllowMultiple = true)]
public sealed class BufferedReservedAttribute : Attribute
{
    /// <summary>Reserves an ordinal.</summary>
    /// <param name="ordinal">The ordinal that the member had. Together, members and reserved ordinals begin at 0 and have no gaps.</param>
    /// <param name="type">The type that the member had; only its kind in the message matters.</param>
    public BufferedReservedAttribute(int ordinal, Type type)
    {
        Ordinal = ordinal;
        Type = type;
    }

    /// <summary>Reserves the number of a union's case.</summary>
    /// <param name="number">The number that the case had. Together, cases and reserved numbers begin at 1 and have no gaps.</param>
    public BufferedReservedAttribute(int number) => Ordinal = number;

    /// <summary>Gets the ordinal that the member had, or the number of the case.</summary>
    public int Ordinal { get; }

    /// <summary>Gets the type that the member had; null for a case.</summary>
    public Type? Type { get; }
}
