namespace BufferedMessages;

/// <summary>Some bytes of a message, and their meaning.</summary>
internal readonly record struct MessagePart(int Position, int Bytes, string Text);
