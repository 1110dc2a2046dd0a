namespace BufferedMessages.Generator.Model;

/// <summary>The ordinal of a member that was removed. Its kind keeps its place in the block.</summary>
internal sealed record ReservedModel(int Ordinal, MemberKind Kind);
