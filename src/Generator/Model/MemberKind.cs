namespace BufferedMessages.Generator.Model;

/// <summary>The kind of a member or an element on the wire, and the facts about its C# type that the emitter needs.</summary>
internal abstract record MemberKind
{
    /// <summary>Gets the innermost element of nested lists and dictionaries; the kind itself if it is neither. For a converter it is the kind that is stored.</summary>
    public virtual MemberKind Innermost() => this;

    /// <summary>Gets the kind without converters, as it is stored.</summary>
    public virtual MemberKind Stored() => this;

    /// <summary>Gets the converters in the kind.</summary>
    public virtual IEnumerable<ConvertedKind> Converters() => [];
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
internal sealed record BinaryKind(CollectionShape Shape, string Type) : MemberKind
{
    /// <summary>Gets whether it is a nullable memory.</summary>
    public bool IsNullableMemory => Shape is CollectionShape.NullableMemory or CollectionShape.NullableReadOnlyMemory;

    /// <summary>Gets the same bytes, which can also be null.</summary>
    public BinaryKind AsNullable() => Shape switch
    {
        CollectionShape.Memory => new BinaryKind(CollectionShape.NullableMemory, Type + "?"),
        CollectionShape.ReadOnlyMemory => new BinaryKind(CollectionShape.NullableReadOnlyMemory, Type + "?"),
        _ => this,
    };
}

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
    public bool IsContiguous => Shape < CollectionShape.Interface;

    /// <inheritdoc/>
    public override MemberKind Innermost() => Element.Innermost();

    /// <inheritdoc/>
    public override MemberKind Stored() => this with { Element = Element.Stored() };

    /// <inheritdoc/>
    public override IEnumerable<ConvertedKind> Converters() => Element.Converters();
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

    /// <inheritdoc/>
    public override MemberKind Stored() => this with { Key = Key.Stored(), Value = Value.Stored() };

    /// <inheritdoc/>
    public override IEnumerable<ConvertedKind> Converters() => Key.Converters().Concat(Value.Converters());
}

/// <summary>A set.</summary>
/// <param name="Element">The kind of its elements: a string or a value.</param>
/// <param name="IsCopied">Whether the type is neither <see cref="HashSet{T}"/> nor an interface of it, so that the one that is read is copied.</param>
/// <param name="Type">Its C# type.</param>
internal sealed record SetKind(MemberKind Element, bool IsCopied, string Type) : MemberKind
{
    /// <inheritdoc/>
    public override MemberKind Stored() => this with { Element = Element.Stored() };

    /// <inheritdoc/>
    public override IEnumerable<ConvertedKind> Converters() => Element.Converters();
}

/// <summary>A type of the user that a converter turns into a kind.</summary>
/// <param name="Wire">The kind that is stored: a value, one that may be null, a string or bytes.</param>
/// <param name="Type">The C# type of the user, without a question mark.</param>
/// <param name="Form">Its form in C#.</param>
/// <param name="Converter">The class with the converter's methods.</param>
/// <param name="TakesBytes">Whether it has a method that takes a span of bytes, so that a view need not allocate.</param>
internal sealed record ConvertedKind(MemberKind Wire, string Type, MessageForm Form, string Converter, bool TakesBytes) : MemberKind
{
    /// <summary>Gets the type in the block that calls the converter; empty before the member is known.</summary>
    public string Adapter { get; init; } = "";

    /// <summary>Gets the member, and the part of it that the converter applies to, for exceptions.</summary>
    public string Path { get; init; } = "";

    /// <inheritdoc/>
    public override MemberKind Innermost() => Wire;

    /// <inheritdoc/>
    public override MemberKind Stored() => Wire;

    /// <inheritdoc/>
    public override IEnumerable<ConvertedKind> Converters() => [this];
}
