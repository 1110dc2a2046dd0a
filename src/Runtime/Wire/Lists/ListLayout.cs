namespace BufferedMessages.Wire;

/// <summary>The places of the parts of a list with a presence bitmap.</summary>
internal static class ListLayout
{
    /// <summary>Offset of the values after a presence bitmap of <paramref name="count"/> bits that starts at a multiple of 8.</summary>
    public static long ValuesOffset(long count, int alignment) => WireFormat.Align((count + 7) >> 3, alignment);
}
