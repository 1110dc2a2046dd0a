namespace BufferedMessages.CrossProcess.Dictionaries;

/// <summary>Entries that another process looks up.</summary>
[BufferedMessageSource]
internal sealed partial class Index
{
    public Dictionary<string, int> ByName { get; set; } = [];
    public Dictionary<Guid, string> ById { get; set; } = [];
    public HashSet<string> Names { get; set; } = [];
}
