using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>The schemas that a cache keeps beside its segments, one file for each fingerprint.</summary>
internal static class CacheSchemas
{
    private const string Pattern = "*.schema";

    /// <summary>Reads them. A file that is not a schema text is left out.</summary>
    public static SortedDictionary<ulong, MessageSchema> In(string folder)
    {
        var schemas = new SortedDictionary<ulong, MessageSchema>();
        foreach (var file in Directory.EnumerateFiles(folder, Pattern))
        {
            if (ulong.TryParse(Path.GetFileNameWithoutExtension(file), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var fingerprint) && TryRead(file) is { } schema)
            {
                schemas[fingerprint] = schema;
            }
        }

        return schemas;
    }

    private static MessageSchema? TryRead(string file)
    {
        try
        {
            return MessageSchema.Parse(File.ReadAllText(file));
        }
        catch (FormatException)
        {
            return null;
        }
    }
}
