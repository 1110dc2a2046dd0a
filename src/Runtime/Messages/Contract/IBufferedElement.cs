using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>An element of a <see cref="BufferedList{TElement}"/>, which is read through a slot.</summary>
/// <typeparam name="TSelf">The implementing view itself.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBufferedElement<TSelf> : IVerifiedPayload
    where TSelf : IBufferedElement<TSelf>, allows ref struct
{
    /// <summary>Reads the element of a slot. Used by the runtime.</summary>
    /// <param name="slots">The slot array.</param>
    /// <param name="offset">Offset of the slot in it, in bytes.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Read(BlockReader slots, int offset);

    /// <summary>Reads the element of a slot at an unchecked offset, for callers that have checked it against the size of the slot array.</summary>
    internal static virtual TSelf ReadElement(BlockReader slots, int offset) => TSelf.Read(slots, offset);

    /// <summary>Returns the element in readable form. Allocates.</summary>
    string? ToString();
}
