using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>Everything that the model of a source or a union depends on. While it is equal, the model is too, and is not parsed again.</summary>
/// <param name="Type">The type.</param>
/// <param name="Frame">The project around it.</param>
/// <param name="Files">The files whose content matters.</param>
internal sealed record SourceInput(TypeName Type, ProjectFrame Frame, EquatableArray<FileOutline> Files);
