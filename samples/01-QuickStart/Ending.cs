namespace BufferedMessages.Samples.QuickStart;

/// <summary>How the walk ended: the number of its last message, and what it left out.</summary>
internal struct Ending
{
    public long Number;
    public long Links;
    public long UnreadableDirectories;
    public long UnsayableNames;

    public void Set(long number, WalkEndBufferedMessage end)
    {
        Links = end.Links;
        UnreadableDirectories = end.UnreadableDirectories;
        UnsayableNames = end.UnsayableNames;
        Volatile.Write(ref Number, number);
    }
}
