namespace BufferedMessages;

/// <summary>
/// The mark of a partial interface or abstract class as a union: a member, an element or a message of this type is one of the cases that
/// <see cref="BufferedCaseAttribute{TCase}"/> declares. The generator adds the size calculator and the writer to it, and beside it a view
/// that says the case and gives its view.
/// </summary>
/// <remarks>
/// A case that a newer program added reads as unknown in a view. It cannot be copied into an object: that throws
/// <see cref="UnknownCaseException"/>. An object of another type than a declared case cannot be written: that throws
/// <see cref="UndeclaredCaseException"/>.
/// </remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, Inherited = false)]
public sealed class BufferedMessageUnionAttribute : Attribute
{
    /// <summary>
    /// Gets or sets the name of the view type; by default the union's name with <c>BufferedMessage</c> appended. An interface leaves out its first
    /// I: the view of <c>IShape</c> is <c>ShapeBufferedMessage</c>.
    /// </summary>
    public string? ViewName { get; set; }

    /// <summary>Gets or sets the name of the enum with the cases; by default the union's name with <c>Case</c> appended, without the first I of an interface.</summary>
    public string? CaseName { get; set; }
}
