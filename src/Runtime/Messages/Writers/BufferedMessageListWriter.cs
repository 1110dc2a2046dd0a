using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The writers of a list of messages. Valid as long as the writer of the message around it is. Allocates nothing.</summary>
/// <typeparam name="TWriter">The generated writer type of an element.</typeparam>
public readonly ref struct BufferedMessageListWriter<TWriter>
    where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
{
    private readonly BlockBuilder _owner;
    private readonly MessageBlocks _blocks;

    internal BufferedMessageListWriter(BlockBuilder owner, int offset)
    {
        _owner = owner;
        _blocks = owner.BlocksOf(offset);
    }

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _blocks.IsNull;

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    public int Count => _blocks.Count;

    /// <summary>Gets the writer of an element. Write the payloads of an element before those of the next one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    public TWriter this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                Malformed.ThrowIndex();
            }

            return TWriter.Create(_owner.ElementOf(_blocks, index));
        }
    }
}
