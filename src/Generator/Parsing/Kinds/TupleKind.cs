using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A tuple, or a key with its value, before it is known which member of which message has it. <see cref="KindPlacement"/> turns it into an
/// anonymous message.
/// </summary>
/// <param name="Name">The name that its view and the method that copies it are derived from.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Constructor">The code before the parenthesis that creates one: <c>new</c> and the type, or nothing.</param>
/// <param name="Items">At least two.</param>
/// <param name="Form">Its form in C#.</param>
internal sealed record TupleKind(string Name, string Type, string Constructor, EquatableArray<TupleItem> Items, MessageForm Form) : MemberKind
{
    /// <inheritdoc/>
    public override MemberKind Stored() => this with { Items = new EquatableArray<TupleItem>(Items.Select(static item => item with { Kind = item.Kind.Stored() })) };
}
