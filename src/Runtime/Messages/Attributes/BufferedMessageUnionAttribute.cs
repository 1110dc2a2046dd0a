namespace BufferedMessages;

/// <summary>
/// The mark of a partial interface or abstract class as a union: a member, an element or a message of this type is one of the cases that
/// <see cref="BufferedCaseAttribute{TCase}"/> declares. The generator adds the size calculator and the writer to it, and generates a view
/// beside it that tells which case it holds and gives the view of that case.
/// </summary>
/// <remarks>
/// A case that a newer program added reads as unknown in a view. Copying it into an object throws
/// <see cref="UnknownCaseException"/>. Writing an object whose type is not a declared case throws
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
