namespace BufferedMessages.Generator.Model;

/// <summary>One stored member. Its ordinal is its place among the message's members and reserved ordinals.</summary>
/// <param name="Name">The member's name.</param>
/// <param name="Identifier">The name as C# code writes it: a keyword has an @ in front.</param>
/// <param name="Kind">What it is on the wire.</param>
/// <param name="Restore">How <c>ToX()</c> gives the new object its value.</param>
/// <param name="KeepsInitializer">A null in the message leaves the member as the constructor made it, because C# says that it is never null.</param>
/// <param name="IsRequired">An object initializer must name it.</param>
/// <param name="Documentation">The lines of its XML documentation.</param>
/// <param name="Cautions">The attributes that the members of the view and the writer repeat: obsolete, experimental.</param>
internal sealed record MemberModel(
    string Name,
    string Identifier,
    MemberKind Kind,
    MemberRestore Restore,
    bool KeepsInitializer,
    bool IsRequired,
    EquatableArray<string> Documentation,
    EquatableArray<string> Cautions);
