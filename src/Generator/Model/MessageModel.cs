namespace BufferedMessages.Generator.Model;

/// <summary>Everything that the generated file of one source type depends on.</summary>
/// <param name="FullName">Name with namespace and containing types, as in the schema text.</param>
/// <param name="HintName">Name of the generated file, different for every type.</param>
/// <param name="Namespace">The namespace as C# code writes it; empty for the global one.</param>
/// <param name="Containers">The containing types, outermost first, as partial declarations.</param>
/// <param name="Declaration">The type's own partial declaration without modifiers, for example <c>partial record Order</c>.</param>
/// <param name="Name">The type's name.</param>
/// <param name="Type">The type from everywhere.</param>
/// <param name="View">The names of its view.</param>
/// <param name="Writer">The names of its writer; null if it has none.</param>
/// <param name="BaseIsSource">A base type has the same generated members, so these hide them.</param>
/// <param name="ExplicitCalculateSize">The source has a member of that name already.</param>
/// <param name="ExplicitWrite">The source has a member of that name already.</param>
/// <param name="UnionInterfaces">The unions that the type implements: its own size and writer must not stand for theirs.</param>
/// <param name="Members">In ordinal order.</param>
/// <param name="Reserved">In ordinal order.</param>
/// <param name="Constructor">How to make an object; null if there is no way.</param>
/// <param name="OrdinalError">What is wrong with the ordinals; the generated file must not compile then.</param>
internal sealed record MessageModel(
    string FullName,
    string HintName,
    string Namespace,
    EquatableArray<string> Containers,
    string Declaration,
    string Name,
    string Type,
    ViewModel View,
    ViewModel? Writer,
    bool BaseIsSource,
    bool ExplicitCalculateSize,
    bool ExplicitWrite,
    EquatableArray<string> UnionInterfaces,
    EquatableArray<MemberModel> Members,
    EquatableArray<ReservedModel> Reserved,
    ConstructorModel? Constructor,
    string? OrdinalError)
{
    /// <summary>All ordinals from 0 on: the members, and between them the reserved ones.</summary>
    public IEnumerable<OrdinalModel> Ordinals()
    {
        var (member, reserved) = (0, 0);
        for (var ordinal = 0; ordinal < Members.Count + Reserved.Count; ordinal++)
        {
            yield return reserved < Reserved.Count && Reserved[reserved].Ordinal == ordinal
                ? new OrdinalModel(Reserved[reserved++].Kind, Member: null)
                : new OrdinalModel(Members[member].Kind, Members[member++]);
        }
    }
}
