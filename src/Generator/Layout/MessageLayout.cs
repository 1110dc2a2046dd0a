using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Layout;

/// <summary>Where the members of a message lie in its block.</summary>
/// <param name="BlockBytes">Size of the block, a multiple of 8.</param>
/// <param name="Members">One per ordinal, reserved ones too.</param>
internal sealed record MessageLayout(int BlockBytes, EquatableArray<MemberPlace> Members);
