namespace BufferedMessages.Wire;

/// <content>Unions.</content>
public ref partial struct ObjectReader
{
    // A case is nested in the message around it, even if that has no other content.
    private ObjectReader(CaseReader found)
    {
        _unreadBytes = found.Block.RegionBytes;
        _depth = 1;
    }

    /// <summary>Copies a union.</summary>
    /// <param name="found">The union's case.</param>
    /// <exception cref="InvalidOperationException">The union is null.</exception>
    /// <exception cref="UnknownCaseException">A newer program wrote a case that this one does not know.</exception>
    public static TUnion ReadUnion<TUnion, TCases>(CaseReader found)
        where TCases : IUnionCases<TUnion>
    {
        if (found.IsNull)
        {
            throw new InvalidOperationException("The message is null. Check IsNull first.");
        }

        var reader = new ObjectReader(found);
        return TCases.Read(ref reader, found);
    }

    /// <summary>Copies a union, or returns null.</summary>
    /// <param name="block">The block or slot array that holds the union's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <exception cref="UnknownCaseException">A newer program wrote a case that this one does not know.</exception>
    public TUnion? ReadUnion<TUnion, TCases>(BlockReader block, int offset)
        where TCases : IUnionCases<TUnion>
    {
        var found = block.ReadCase(offset);
        return found.IsNull ? default : TCases.Read(ref this, found);
    }

    /// <summary>Copies the message of a case.</summary>
    /// <param name="found">The case; never null.</param>
    public TSource ReadCase<TSource, TBlock>(CaseReader found)
        where TBlock : IReadableBlock<TSource>
        => CopyMessage<TSource, TBlock>(found.Block);
}
