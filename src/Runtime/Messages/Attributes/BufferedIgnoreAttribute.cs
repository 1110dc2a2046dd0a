namespace BufferedMessages;

/// <summary>The member is not stored in messages, and <c>ToX()</c> leaves it alone.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class BufferedIgnoreAttribute : Attribute;
