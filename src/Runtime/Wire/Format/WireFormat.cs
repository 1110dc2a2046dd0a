namespace BufferedMessages.Wire;

/// <summary>The constants of the wire format BMF1; docs/format/messages.md explains them. The generator compiles this file too.</summary>
internal static class WireFormat
{
    /// <summary>The format version that messages carry.</summary>
    public const byte Version = 1;

    /// <summary>Bytes of the message header, before the root block.</summary>
    public const int HeaderBytes = 8;

    /// <summary>Bytes of a word: the unit of block sizes and the alignment of blocks and messages.</summary>
    public const int WordBytes = 8;

    /// <summary>Bytes of a slot, which points to a payload or holds a short one.</summary>
    public const int SlotBytes = 8;

    /// <summary>Bytes of the header of a list of messages.</summary>
    public const int MessageListHeaderBytes = 8;

    /// <summary>Bytes of the header of a dictionary or a set.</summary>
    public const int DictionaryHeaderBytes = 8;

    /// <summary>A dictionary of more entries has buckets.</summary>
    public const int MaxEntriesWithoutBuckets = 8;

    /// <summary>The largest block, in words.</summary>
    public const int MaxBlockWords = ushort.MaxValue;

    /// <summary>How deep messages may be nested; the root is 1.</summary>
    public const int MaxDepth = 64;

    /// <summary>Strings and binaries of up to this many bytes are stored in their slot.</summary>
    public const int MaxInlineBytes = 7;

    /// <summary>The slot of an empty string, binary, list, set or dictionary.</summary>
    public const ulong EmptySlot = 0x8000_0000_0000_0000;

    /// <summary>Flag of a list of messages: a presence bitmap follows its header.</summary>
    public const ushort MessageListHasBitmap = 1;

    /// <summary>Rounds up to a multiple of a power of two.</summary>
    public static int Align(int position, int alignment) => (position + alignment - 1) & -alignment;

    /// <inheritdoc cref="Align(int, int)"/>
    public static long Align(long position, int alignment) => (position + alignment - 1) & -(long)alignment;
}
