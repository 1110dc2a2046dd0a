namespace BufferedMessages;

/// <summary>A case of a union of a schema text.</summary>
internal sealed record SchemaCase(string Name, SchemaMessage Message);
