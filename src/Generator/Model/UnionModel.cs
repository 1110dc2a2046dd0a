namespace BufferedMessages.Generator.Model;

/// <summary>The complete input for the generated file of one union.</summary>
/// <param name="FullName">Its name in the schema text, with namespace and containing types.</param>
/// <param name="HintName">Name of the generated file, different for every type.</param>
/// <param name="Namespace">The namespace in C# syntax; empty for the global one.</param>
/// <param name="Containers">The containing types, outermost first, as partial declarations.</param>
/// <param name="Declaration">The union's own partial declaration without modifiers, for example <c>partial interface IShape</c>.</param>
/// <param name="Name">The union's name, without the leading I of an interface.</param>
/// <param name="Type">The union's fully qualified name.</param>
/// <param name="View">The names of its view.</param>
/// <param name="Enum">The names of the enum with its cases.</param>
/// <param name="ExplicitCalculateSize">The union is an interface, or already has a member of that name.</param>
/// <param name="ExplicitWrite">The union is an interface, or already has a member of that name.</param>
/// <param name="UnionInterfaces">The unions that a class implements. Its own size and writer must not implement theirs.</param>
/// <param name="Cases">In the order of their numbers.</param>
/// <param name="Reserved">The numbers of cases that were removed, in ascending order.</param>
/// <param name="Cautions">The attributes that the view and the enum repeat: obsolete, experimental.</param>
/// <param name="Diagnostics">The diagnostics that uses of the union and its cases cause: obsolete, experimental.</param>
/// <param name="IsClsCompliant">The compiler checks that the assembly complies with the Common Language Specification.</param>
/// <param name="NumberError">The mistake in the numbers, which generated code throws; null if there is none.</param>
internal sealed record UnionModel(
    string FullName,
    string HintName,
    string Namespace,
    EquatableArray<string> Containers,
    string Declaration,
    string Name,
    string Type,
    TypeNames View,
    TypeNames Enum,
    bool ExplicitCalculateSize,
    bool ExplicitWrite,
    EquatableArray<string> UnionInterfaces,
    EquatableArray<CaseModel> Cases,
    EquatableArray<int> Reserved,
    EquatableArray<string> Cautions,
    EquatableArray<string> Diagnostics,
    bool IsClsCompliant,
    string? NumberError);
