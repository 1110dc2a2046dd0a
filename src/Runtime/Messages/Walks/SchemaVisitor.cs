namespace BufferedMessages;

/// <summary>
/// The receiver of the parts of a message from a <see cref="SchemaWalker"/>, in ordinal order. Positions count from the first byte of the walk;
/// those of members that the writer did not know are negative.
/// </summary>
internal abstract class SchemaVisitor
{
    /// <summary>Whether the walk may end.</summary>
    public virtual bool IsDone => false;

    public virtual void BeginMessage()
    {
    }

    public virtual void EndMessage()
    {
    }

    /// <summary>A case of a union; its message follows.</summary>
    public virtual void BeginCase(int number, string name)
    {
    }

    /// <summary>A case of a union that the schema does not have.</summary>
    public virtual void UnknownCase(int number, int position, int bytes)
    {
    }

    public virtual void BeginMember(string name)
    {
    }

    public virtual void EndMember()
    {
    }

    /// <summary>A member that was removed.</summary>
    public virtual void Reserved(int ordinal, int position, int bytes)
    {
    }

    /// <summary>A list or a set; its elements follow.</summary>
    public virtual void BeginList(int count)
    {
    }

    public virtual void EndList()
    {
    }

    public virtual void BeginElement(int index)
    {
    }

    public virtual void EndElement()
    {
    }

    /// <summary>A dictionary; of each entry the key follows, then the value.</summary>
    public virtual void BeginDictionary(int count)
    {
    }

    public virtual void EndDictionary()
    {
    }

    public virtual void BeginKey(int index)
    {
    }

    public virtual void EndKey()
    {
    }

    /// <summary>The value of the entry; <see cref="EndElement"/> ends it.</summary>
    public virtual void BeginEntryValue(int index)
    {
    }

    /// <summary>A slot; its payload follows.</summary>
    public virtual void Slot(int position, SchemaKind kind, ulong slot)
    {
    }

    /// <summary>The presence bit of the value that follows, in the byte at a position.</summary>
    public virtual void PresenceBit(int position)
    {
    }

    /// <summary>The header of a list of messages.</summary>
    public virtual void ListHeader(int position, int blockBytes)
    {
    }

    /// <summary>The header of a dictionary or set, and the starts of its buckets if it has some.</summary>
    /// <param name="position">The position of the header.</param>
    /// <param name="bytes">Bytes of both.</param>
    /// <param name="valuesOffset">The offset of the values from there; 0 in a set.</param>
    public virtual void TableHeader(int position, int bytes, int valuesOffset)
    {
    }

    /// <summary>The presence bitmap of a list.</summary>
    public virtual void Bitmap(int position, int bytes)
    {
    }

    /// <summary>The block of a null element.</summary>
    public virtual void NullBlock(int position, int bytes)
    {
    }

    /// <summary>The bytes of a value that is null.</summary>
    public virtual void NullValue(int position, int bytes)
    {
    }

    /// <summary>A null.</summary>
    public virtual void Null()
    {
    }

    public abstract void Value(SchemaValue kind, int position, ReadOnlySpan<byte> bytes);

    public abstract void Text(int position, ReadOnlySpan<byte> utf8);

    public abstract void Binary(int position, ReadOnlySpan<byte> bytes);
}
