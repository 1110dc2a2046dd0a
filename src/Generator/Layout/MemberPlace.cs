namespace BufferedMessages.Generator.Layout;

/// <summary>The place of one member in a block.</summary>
/// <param name="Offset">Byte offset in the block.</param>
/// <param name="Size">In bytes.</param>
/// <param name="PresenceBit">Number of the presence bit, counted from the block's first bit; null if the member needs none.</param>
internal sealed record MemberPlace(int Offset, int Size, int? PresenceBit);
