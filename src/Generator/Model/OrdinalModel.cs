namespace BufferedMessages.Generator.Model;

/// <summary>What one ordinal of a message stands for.</summary>
/// <param name="Kind">What it is on the wire.</param>
/// <param name="Member">The member; null if the ordinal is reserved.</param>
internal sealed record OrdinalModel(MemberKind Kind, MemberModel? Member);
