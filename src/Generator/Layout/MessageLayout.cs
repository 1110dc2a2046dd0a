using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Layout;

/// <summary>The layout of a message's block.</summary>
/// <param name="BlockBytes">Size of the block, a multiple of 8.</param>
/// <param name="Members">One place per ordinal, including the reserved ones.</param>
internal sealed record MessageLayout(int BlockBytes, EquatableArray<MemberPlace> Members);
