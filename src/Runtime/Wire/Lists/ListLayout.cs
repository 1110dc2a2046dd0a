namespace BufferedMessages.Wire;

/// <summary>Where the parts of a list with a presence bitmap lie.</summary>
internal static class ListLayout
{
    /// <summary>Offset of the values behind a presence bitmap of <paramref name="count"/> bits that starts at a multiple of 8.</summary>
    public static long ValuesOffset(long count, int alignment) => WireFormat.Align((count + 7) >> 3, alignment);
}
