namespace BufferedMessages.Generator.Model;

/// <summary>What a member or an element is on the wire, and what the emitter must know of its C# type.</summary>
internal abstract record MemberKind
{
    /// <summary>What lists and dictionaries hold in the end; the kind itself if it is neither.</summary>
    public virtual MemberKind Innermost() => this;
}

/// <summary>A value of fixed size, stored in the block.</summary>
/// <param name="Schema">Its name in the schema text, for example <c>i32</c>.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Size">In bytes.</param>
/// <param name="Alignment">In bytes, at most 8.</param>
/// <param name="IsChecked">Not every bit pattern is a value, so each is checked when it is read.</param>
/// <param name="Padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
internal sealed record ValueKind(string Schema, string Type, int Size, int Alignment, bool IsChecked, EquatableArray<ushort> Padding) : MemberKind;

/// <summary>A value of fixed size that may be null.</summary>
internal sealed record NullableKind(ValueKind Value) : MemberKind;

/// <summary>A string.</summary>
internal sealed record StringKind : MemberKind;

/// <summary>Bytes.</summary>
/// <param name="Shape">Which collection of bytes it is.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record BinaryKind(CollectionShape Shape, string Type) : MemberKind;

/// <summary>A kind that another type describes.</summary>
/// <param name="Schema">Its name in the schema text.</param>
/// <param name="Type">The type.</param>
/// <param name="Block">The type that says how it is stored.</param>
/// <param name="View">Its view type.</param>
internal abstract record ReferenceKind(string Schema, string Type, string Block, string View) : MemberKind;

/// <summary>A nested message.</summary>
/// <param name="Schema">Its name in the schema text.</param>
/// <param name="Type">The source type, or the type of a tuple.</param>
/// <param name="Block">Its block type.</param>
/// <param name="View">Its view type.</param>
/// <param name="Writer">Its writer type; null if it has none.</param>
/// <param name="Form">How C# holds it.</param>
internal sealed record MessageKind(string Schema, string Type, string Block, string View, string? Writer, MessageForm Form) : ReferenceKind(Schema, Type, Block, View)
{
    /// <summary>The message itself if it is anonymous: its code is made with that of the message around it.</summary>
    public MessageModel? Anonymous { get; init; }
}

/// <summary>A union.</summary>
/// <param name="Schema">The full name of the union.</param>
/// <param name="Type">The union.</param>
/// <param name="Block">Its plumbing.</param>
/// <param name="View">Its view type.</param>
internal sealed record UnionKind(string Schema, string Type, string Block, string View) : ReferenceKind(Schema, Type, Block, View);

/// <summary>A list.</summary>
/// <param name="Element">The kind of its elements.</param>
/// <param name="Shape">Which collection it is.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record ListKind(MemberKind Element, CollectionShape Shape, string Type) : MemberKind
{
    /// <summary>The elements lie in one piece, so that they need not be copied before they are written.</summary>
    public bool IsInOnePiece => Shape < CollectionShape.Interface;

    /// <inheritdoc/>
    public override MemberKind Innermost() => Element.Innermost();
}

/// <summary>A dictionary.</summary>
/// <param name="Key">The kind of its keys: a string or a value.</param>
/// <param name="Value">The kind of its values.</param>
/// <param name="Shape">Which dictionary it is.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record DictionaryKind(MemberKind Key, MemberKind Value, DictionaryShape Shape, string Type) : MemberKind
{
    /// <inheritdoc/>
    public override MemberKind Innermost() => Value.Innermost();
}

/// <summary>A set.</summary>
/// <param name="Element">The kind of its elements: a string or a value.</param>
/// <param name="Shape">Which set it is.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record SetKind(MemberKind Element, SetShape Shape, string Type) : MemberKind;
