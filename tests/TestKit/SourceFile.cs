namespace BufferedMessages.TestKit;

/// <summary>A source file of a project that a test makes.</summary>
/// <param name="Path">Its path, as the compiler is told.</param>
/// <param name="Text">Its text.</param>
public sealed record SourceFile(string Path, string Text);
