namespace BufferedMessages.Generator.Model;

/// <summary>The complete input for the generated file of one source type.</summary>
/// <param name="Message">The model of its messages.</param>
/// <param name="HintName">Name of the generated file, different for every type.</param>
/// <param name="Namespace">The namespace in C# syntax; empty for the global one.</param>
/// <param name="Containers">The containing types, outermost first, as partial declarations.</param>
/// <param name="Declaration">The type's own partial declaration without modifiers, for example <c>partial record Order</c>.</param>
/// <param name="Writer">The names of its writer; null if it has none.</param>
/// <param name="ExplicitCalculateSize">The source already has a member of that name.</param>
/// <param name="ExplicitWrite">The source already has a member of that name.</param>
/// <param name="UnionInterfaces">The unions that the type implements. Its own size and writer must not implement theirs.</param>
/// <param name="Diagnostics">The diagnostics that uses of the source, its members and their types cause: obsolete, experimental.</param>
/// <param name="IsClsCompliant">The compiler checks that the assembly complies with the Common Language Specification.</param>
/// <param name="OrdinalError">The mistake in the ordinals, which generated code throws; null if there is none.</param>
internal sealed record SourceModel(
    MessageModel Message,
    string HintName,
    string Namespace,
    EquatableArray<string> Containers,
    string Declaration,
    TypeNames? Writer,
    bool ExplicitCalculateSize,
    bool ExplicitWrite,
    EquatableArray<string> UnionInterfaces,
    EquatableArray<string> Diagnostics,
    bool IsClsCompliant,
    string? OrdinalError);
