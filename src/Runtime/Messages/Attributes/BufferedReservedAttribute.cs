namespace BufferedMessages;

/// <summary>
/// Keeps the ordinal of a member that was removed, so that the members behind it stay where they are in the message: messages of older
/// and newer programs can be read as before. It counts for derived types too. On a union it keeps the number of a case that was removed,
/// so that no other case gets it. Never take it away while such messages exist.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, AllowMultiple = true)]
public sealed class BufferedReservedAttribute : Attribute
{
    /// <summary>Keeps an ordinal.</summary>
    /// <param name="ordinal">The ordinal that the member had. Members and reserved ordinals together go from 0 on without gaps.</param>
    /// <param name="type">The type that the member had; what counts is its kind in the message.</param>
    public BufferedReservedAttribute(int ordinal, Type type)
    {
        Ordinal = ordinal;
        Type = type;
    }

    /// <summary>Keeps the number of a union's case.</summary>
    /// <param name="number">The number that the case had. Cases and reserved numbers together go from 1 on without gaps.</param>
    public BufferedReservedAttribute(int number) => Ordinal = number;

    /// <summary>The ordinal that the member had, or the number of the case.</summary>
    public int Ordinal { get; }

    /// <summary>The type that the member had; null for a case.</summary>
    public Type? Type { get; }
}
