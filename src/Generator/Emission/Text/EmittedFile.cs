namespace BufferedMessages.Generator.Emission;

/// <summary>A generated file.</summary>
internal sealed record EmittedFile(string HintName, string Text);
