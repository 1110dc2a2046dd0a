using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>An item of a tuple.</summary>
/// <param name="Name">The name that it has in the tuple.</param>
/// <param name="Kind">Its kind on the wire.</param>
internal sealed record TupleItem(string Name, MemberKind Kind);
