namespace BufferedMessages.Generator.Model;

/// <summary>One stored member. Its ordinal is its index among the message's members and reserved ordinals.</summary>
/// <param name="Name">The member's name.</param>
/// <param name="Identifier">The name in C# syntax: a keyword begins with @.</param>
/// <param name="Kind">Its kind on the wire.</param>
/// <param name="Restore">The way in which <c>ToX()</c> restores it.</param>
/// <param name="KeepsInitializer">The member is declared as never null, so on a null in the message the copy keeps the initializer's value.</param>
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
