using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Where the padding of a struct lies. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStructPadding
{
    /// <summary>Pairs of offset and length of the padding within the struct, in bytes.</summary>
    static abstract ReadOnlySpan<ushort> Pairs { get; }
}
