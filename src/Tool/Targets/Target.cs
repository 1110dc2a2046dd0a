namespace BufferedMessages.Tool;

/// <summary>A thing that the tool can look into.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Path">Its full path.</param>
internal sealed record Target(TargetKind Kind, string Path)
{
    /// <summary>Gets the name of its folder or file.</summary>
    public string Name => System.IO.Path.GetFileName(Path);

    /// <summary>Gets the word for the kind.</summary>
    public string Word => WordOf(Kind);

    /// <summary>Gets the word for a kind.</summary>
    public static string WordOf(TargetKind kind) => kind switch
    {
        TargetKind.Queue => "queue",
        TargetKind.Cache => "cache",
        _ => "message",
    };

    /// <summary>Gets the words for some kinds, as one phrase.</summary>
    public static string WordsOf(TargetKind[] kinds) =>
        kinds.Length == 1 ? WordOf(kinds[0]) : $"{string.Join(", ", kinds[..^1].Select(WordOf))} or {WordOf(kinds[^1])}";
}

/// <summary>The kinds of things that the tool can look into.</summary>
internal enum TargetKind
{
    /// <summary>The folder of a queue.</summary>
    Queue,

    /// <summary>The folder of a cache.</summary>
    Cache,

    /// <summary>A file with one message.</summary>
    Message,
}
