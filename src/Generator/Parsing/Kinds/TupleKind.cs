using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A tuple, or a key with its value, while it is not known yet in which member of which message it stands. <see cref="TupleMessages"/> makes
/// the kind of an anonymous message of it.
/// </summary>
/// <param name="Name">What it is: its view is named after that, and so is the method that copies it.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Constructor">What stands in front of the items where one is made.</param>
/// <param name="Items">At least two.</param>
/// <param name="Form">How C# holds it.</param>
internal sealed record TupleKind(string Name, string Type, string Constructor, EquatableArray<TupleItem> Items, MessageForm Form) : MemberKind;
