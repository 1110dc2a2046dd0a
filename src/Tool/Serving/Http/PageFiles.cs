namespace BufferedMessages.Tool;

/// <summary>The files of the page, which are in the program itself.</summary>
internal static class PageFiles
{
    private static readonly Dictionary<string, (string Name, string Type)> Files = new(StringComparer.Ordinal)
    {
        ["/"] = ("index.html", "text/html; charset=utf-8"),
        ["/page.css"] = ("page.css", "text/css; charset=utf-8"),
        ["/icon.svg"] = ("icon.svg", "image/svg+xml"),
        ["/page.js"] = ("page.js", Script),
        ["/elements.js"] = ("elements.js", Script),
        ["/overview.js"] = ("overview.js", Script),
        ["/queue.js"] = ("queue.js", Script),
        ["/messages.js"] = ("messages.js", Script),
        ["/caches.js"] = ("caches.js", Script),
    };

    private const string Script = "text/javascript; charset=utf-8";

    /// <summary>Finds the file of an address.</summary>
    /// <returns>Its type and its bytes; null if there is none.</returns>
    public static (string Type, byte[] Content)? Find(string address)
    {
        if (!Files.TryGetValue(address, out var file))
        {
            return null;
        }

        using var stream = typeof(PageFiles).Assembly.GetManifestResourceStream(file.Name)!;
        var content = new byte[stream.Length];
        stream.ReadExactly(content);
        return (file.Type, content);
    }
}
