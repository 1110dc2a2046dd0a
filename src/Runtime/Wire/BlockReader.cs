namespace BufferedMessages.Wire;

/// <summary>placeholder until the next commit.</summary>
public readonly ref struct BlockReader;
