namespace BufferedMessages;

/// <summary>The mark of a member that is not stored in messages, and that <c>ToX()</c> does not set.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class BufferedIgnoreAttribute : Attribute;
