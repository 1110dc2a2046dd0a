namespace BufferedMessages;

/// <summary>
/// The ordinal of a member, which lets members be moved in the code. Put it on every member or on none:
/// without it, ordinals follow the order of declaration, base class first.
/// </summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class BufferedMemberAttribute : Attribute
{
    /// <summary>Fixes the ordinal of a member.</summary>
    /// <param name="ordinal">The ordinal. Those of a type begin at 0 and have no gaps.</param>
    public BufferedMemberAttribute(int ordinal) => Ordinal = ordinal;

    /// <summary>Gets the member's ordinal.</summary>
    public int Ordinal { get; }
}
