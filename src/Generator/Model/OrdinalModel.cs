namespace BufferedMessages.Generator.Model;

/// <summary>The meaning of one ordinal of a message.</summary>
/// <param name="Kind">Its kind on the wire.</param>
/// <param name="Member">The member; null if the ordinal is reserved.</param>
internal sealed record OrdinalModel(MemberKind Kind, MemberModel? Member);
