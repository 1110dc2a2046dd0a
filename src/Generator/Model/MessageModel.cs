namespace BufferedMessages.Generator.Model;

/// <summary>The complete input for the block and the view of a message.</summary>
/// <param name="FullName">Its name in the schema text: the source's, with namespace and containing types. An anonymous message has a path of ordinals instead.</param>
/// <param name="Name">The name in the method <c>ToName()</c> of the view.</param>
/// <param name="Type">The fully qualified C# type that is written.</param>
/// <param name="Description">The description in the documentation of the view.</param>
/// <param name="Block">The fully qualified type that defines the layout of the block.</param>
/// <param name="View">The names of its view.</param>
/// <param name="IsAnonymous">It is a tuple or a key with its value, which is written only as part of another message. Its view can be deconstructed.</param>
/// <param name="Members">In ordinal order.</param>
/// <param name="Reserved">In ordinal order.</param>
/// <param name="Constructor">The constructor for a copy; null if there is none.</param>
internal sealed record MessageModel(
    string FullName,
    string Name,
    string Type,
    string Description,
    string Block,
    TypeNames View,
    bool IsAnonymous,
    EquatableArray<MemberModel> Members,
    EquatableArray<ReservedModel> Reserved,
    ConstructorModel? Constructor)
{
    /// <summary>Gets the attributes of the source that its view and its writer repeat: obsolete, experimental.</summary>
    public EquatableArray<string> Cautions { get; init; }

    /// <summary>Gets whether a member or the constructor is obsolete. If uses are errors, only obsolete code can use it.</summary>
    public bool UsesObsolete { get; init; }

    /// <summary>Gets the anonymous messages that the ordinals are or contain.</summary>
    public IEnumerable<(MessageModel Message, bool IsReserved)> Anonymous() =>
        from ordinal in Ordinals()
        let message = (ordinal.Kind.Innermost() as MessageKind)?.Anonymous
        where message is not null
        select (message, ordinal.Member is null);

    /// <summary>Gets all ordinals from 0 on: the members, with the reserved ones between them.</summary>
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
