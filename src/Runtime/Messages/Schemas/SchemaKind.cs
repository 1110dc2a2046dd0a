namespace BufferedMessages;

/// <summary>The kind of a member or an element in a schema text.</summary>
internal abstract record SchemaKind
{
    /// <summary>The innermost element of nested lists and dictionaries; the kind itself if it is neither.</summary>
    public virtual SchemaKind Innermost => this;
}

/// <summary>A value of fixed size.</summary>
/// <param name="Size">In bytes.</param>
/// <param name="Alignment">In bytes, at most 8.</param>
internal abstract record SchemaValue(int Size, int Alignment) : SchemaKind;

/// <summary>A value that the wire format knows by name; an enum is its underlying integer.</summary>
internal sealed record SchemaScalar(string Name, int Size, int Alignment) : SchemaValue(Size, Alignment);

/// <summary>A struct.</summary>
internal sealed record SchemaStruct(int Size, int Alignment, IReadOnlyList<SchemaField> Fields) : SchemaValue(Size, Alignment);

/// <summary>A field of a struct.</summary>
/// <param name="Offset">Byte offset in the struct.</param>
/// <param name="Kind">Its kind, or that of its elements.</param>
/// <param name="Length">The number of its elements, if it is an array.</param>
internal sealed record SchemaField(int Offset, SchemaValue Kind, int? Length)
{
    /// <summary>The offset of its end in the struct, in bytes.</summary>
    public long End => Offset + ((long)Kind.Size * Length.GetValueOrDefault(1));
}

/// <summary>A value that may be null.</summary>
internal sealed record SchemaNullable(SchemaValue Value) : SchemaKind;

/// <summary>A string.</summary>
internal sealed record SchemaString : SchemaKind;

/// <summary>A binary.</summary>
internal sealed record SchemaBinary : SchemaKind;

/// <summary>A kind that another type describes.</summary>
internal abstract record SchemaReference(string TypeName) : SchemaKind
{
    /// <summary>The first line of the type.</summary>
    public abstract string Head { get; }
}

/// <summary>A nested message.</summary>
internal sealed record SchemaMessage(string TypeName) : SchemaReference(TypeName)
{
    /// <summary>The first word of a message type.</summary>
    public const string Keyword = "message";

    public override string Head => $"{Keyword} {TypeName}";
}

/// <summary>A union.</summary>
internal sealed record SchemaUnion(string TypeName) : SchemaReference(TypeName)
{
    /// <summary>The first word of a union.</summary>
    public const string Keyword = "union";

    public override string Head => $"{Keyword} {TypeName}";
}

/// <summary>A list.</summary>
internal sealed record SchemaList(SchemaKind Element) : SchemaKind
{
    public override SchemaKind Innermost => Element.Innermost;
}

/// <summary>A set.</summary>
internal sealed record SchemaSet(SchemaKind Element) : SchemaKind;

/// <summary>A dictionary.</summary>
internal sealed record SchemaDictionary(SchemaKind Key, SchemaKind Value) : SchemaKind
{
    public override SchemaKind Innermost => Value.Innermost;
}
