namespace BufferedMessages;

/// <summary>
/// The ordinal of a removed member, kept so that the later members stay where they are in the message: messages of older
/// and newer programs can be read as before. It counts for derived types too. On a union it keeps the number of a removed case,
/// so that no other case gets it. Never take it away while such messages exist.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, AllowMultiple = true)]
public sealed class BufferedReservedAttribute : Attribute
{
    /// <summary>Keeps an ordinal.</summary>
    /// <param name="ordinal">The ordinal that the member had. Members and reserved ordinals together go from 0 on without gaps.</param>
    /// <param name="type">The type that the member had; only its kind in the message matters.</param>
    public BufferedReservedAttribute(int ordinal, Type type)
    {
        Ordinal = ordinal;
        Type = type;
    }

    /// <summary>Keeps the number of a union's case.</summary>
    /// <param name="number">The number that the case had. Cases and reserved numbers together go from 1 on without gaps.</param>
    public BufferedReservedAttribute(int number) => Ordinal = number;

    /// <summary>Gets the ordinal that the member had, or the number of the case.</summary>
    public int Ordinal { get; }

    /// <summary>Gets the type that the member had; null for a case.</summary>
    public Type? Type { get; }
}
