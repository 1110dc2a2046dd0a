namespace BufferedMessages;

/// <summary>
/// The ordinal of a member, so that members may be moved in the code. Put it on every member or on none:
/// without it the ordinals are the order of declaration, base class first.
/// </summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class BufferedMemberAttribute : Attribute
{
    /// <summary>Fixes the ordinal.</summary>
    /// <param name="ordinal">From 0 on, without gaps within the type.</param>
    public BufferedMemberAttribute(int ordinal) => Ordinal = ordinal;

    /// <summary>Gets the member's ordinal.</summary>
    public int Ordinal { get; }
}
