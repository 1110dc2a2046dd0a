namespace BufferedMessages;

/// <summary>Some bytes of a message, and what they are.</summary>
internal readonly record struct MessagePart(int Position, int Bytes, string Text);
