namespace BufferedMessages.Generator.Model;

/// <summary>What the block and the view of a message depend on.</summary>
/// <param name="FullName">Its name in the schema text: that of the source with namespace and containing types. An anonymous message has a path of ordinals instead.</param>
/// <param name="Name">The name of what the view copies the message to: <c>ToName()</c>.</param>
/// <param name="Type">The C# type that is written, from everywhere.</param>
/// <param name="Description">What it is, for the documentation of the view.</param>
/// <param name="Block">The type that says how the members lie in a block, from everywhere.</param>
/// <param name="View">The names of its view.</param>
/// <param name="IsAnonymous">A tuple or a key with its value: it is only written as a part of another message, and its view can be deconstructed.</param>
/// <param name="Members">In ordinal order.</param>
/// <param name="Reserved">In ordinal order.</param>
/// <param name="Constructor">How to make an object; null if there is no way.</param>
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
    /// <summary>The attributes of the source that its view and its writer repeat: obsolete, experimental.</summary>
    public EquatableArray<string> Cautions { get; init; }

    /// <summary>A member or the constructor is obsolete. Only code that is obsolete too may use it, if uses are errors.</summary>
    public bool UsesObsolete { get; init; }

    /// <summary>The anonymous messages that the ordinals stand for or hold.</summary>
    public IEnumerable<(MessageModel Message, bool IsReserved)> Anonymous() =>
        from ordinal in Ordinals()
        let message = (ordinal.Kind.Innermost() as MessageKind)?.Anonymous
        where message is not null
        select (message, ordinal.Member is null);

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
