namespace BufferedMessages;

/// <summary>
/// The mark of a partial class, struct or record as a source of messages: the generator adds the size calculator and the writer to it,
/// and a view type beside it that reads the members in place.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class BufferedMessageSourceAttribute : Attribute
{
    /// <summary>Stores all public members.</summary>
    public BufferedMessageSourceAttribute()
        : this([])
    {
    }

    /// <summary>Stores all public members except the named ones.</summary>
    /// <param name="excludedMembers">The names of members, including inherited ones, that are not stored; preferably written with <c>nameof</c>.</param>
    public BufferedMessageSourceAttribute(params string[] excludedMembers) => ExcludedMembers = excludedMembers;

    /// <summary>Names of the members that are not stored.</summary>
    public IReadOnlyList<string> ExcludedMembers { get; }

    /// <summary>Gets or sets the name of the view type; by default the source's name with <c>BufferedMessage</c> appended.</summary>
    public string? ViewName { get; set; }

    /// <summary>
    /// Gets or sets whether a writer type is generated too, named like the view with <c>Writer</c> appended. It writes messages in place, without an
    /// object, and changes members of fixed size in existing messages.
    /// </summary>
    public bool GenerateWriter { get; set; }
}
