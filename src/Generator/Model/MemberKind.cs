namespace BufferedMessages.Generator.Model;

/// <summary>The kind of a member or an element on the wire, and the facts about its C# type that the emitter needs.</summary>
internal abstract record MemberKind
{
    /// <summary>Gets the innermost element of nested lists and dictionaries; the kind itself if it is neither.</summary>
    public virtual MemberKind Innermost() => this;
}

/// <summary>A value of fixed size, stored in the block.</summary>
/// <param name="Schema">Its name in the schema text, for example <c>i32</c>.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Size">In bytes.</param>
/// <param name="Alignment">In bytes, at most 8.</param>
/// <param name="IsChecked">Some bit patterns are invalid, so each value is checked when it is read.</param>
/// <param name="Padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
internal sealed record ValueKind(string Schema, string Type, int Size, int Alignment, bool IsChecked, EquatableArray<ushort> Padding) : MemberKind
{
    /// <summary>Gets the notes of the schema text on the enums and structs in <see cref="Schema"/>, in their order: the names of their members or fields.</summary>
    public EquatableArray<string> Notes { get; init; }
}

/// <summary>A value of fixed size that may be null.</summary>
internal sealed record NullableKind(ValueKind Value) : MemberKind;

/// <summary>A string.</summary>
internal sealed record StringKind : MemberKind;

/// <summary>Bytes.</summary>
/// <param name="Shape">The shape of the collection.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record BinaryKind(CollectionShape Shape, string Type) : MemberKind;

/// <summary>A kind that is defined by a type: a message or a union.</summary>
/// <param name="Schema">Its name in the schema text.</param>
/// <param name="Type">The type.</param>
/// <param name="Block">Its block type.</param>
/// <param name="View">Its view type.</param>
internal abstract record ReferenceKind(string Schema, string Type, string Block, string View) : MemberKind;

/// <summary>A nested message.</summary>
/// <param name="Schema">Its name in the schema text.</param>
/// <param name="Type">The source type, or the type of a tuple.</param>
/// <param name="Block">Its block type.</param>
/// <param name="View">Its view type.</param>
/// <param name="Writer">Its writer type; null if it has none.</param>
/// <param name="Form">Its form in C#.</param>
internal sealed record MessageKind(string Schema, string Type, string Block, string View, string? Writer, MessageForm Form) : ReferenceKind(Schema, Type, Block, View)
{
    /// <summary>Gets the message itself if it is anonymous. Its code is then part of the code of the containing message.</summary>
    public MessageModel? Anonymous { get; init; }
}

/// <summary>A union.</summary>
/// <param name="Schema">The full name of the union.</param>
/// <param name="Type">The union.</param>
/// <param name="Block">Its block type.</param>
/// <param name="View">Its view type.</param>
internal sealed record UnionKind(string Schema, string Type, string Block, string View) : ReferenceKind(Schema, Type, Block, View);

/// <summary>A list.</summary>
/// <param name="Element">The kind of its elements.</param>
/// <param name="Shape">The shape of the collection.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record ListKind(MemberKind Element, CollectionShape Shape, string Type) : MemberKind
{
    /// <summary>Gets whether the elements are contiguous in memory, so that they need not be copied before writing.</summary>
    public bool IsInOnePiece => Shape < CollectionShape.Interface;

    /// <inheritdoc/>
    public override MemberKind Innermost() => Element.Innermost();
}

/// <summary>A dictionary.</summary>
/// <param name="Key">The kind of its keys: a string or a value.</param>
/// <param name="Value">The kind of its values.</param>
/// <param name="IsCopied">Whether the type is neither <see cref="Dictionary{TKey, TValue}"/> nor an interface of it, so that the one that is read is copied.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record DictionaryKind(MemberKind Key, MemberKind Value, bool IsCopied, string Type) : MemberKind
{
    /// <inheritdoc/>
    public override MemberKind Innermost() => Value.Innermost();
}

/// <summary>A set.</summary>
/// <param name="Element">The kind of its elements: a string or a value.</param>
/// <param name="IsCopied">Whether the type is neither <see cref="HashSet{T}"/> nor an interface of it, so that the one that is read is copied.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record SetKind(MemberKind Element, bool IsCopied, string Type) : MemberKind;
