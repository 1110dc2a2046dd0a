using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>The headers that a dead letter adds to those of its message. A header of the message with one of their names has a prefix in the dead letter.</summary>
internal static class DeadLetterHeaders
{
    /// <summary>The header with the name of the handler.</summary>
    public const string Handler = "handler";

    /// <summary>The header with the type of the exception.</summary>
    public const string ExceptionType = "exception";

    /// <summary>The header with the time of publishing.</summary>
    public const string Published = "published";

    private const string Prefix = "message.";

    // A bridge adds these to a dead letter, and none of its message: it keeps the bytes alone.
    private static readonly string[] OfBridge = [DeadLetterNames.BridgeStream, DeadLetterNames.BridgeOffset];

    /// <summary>Gives the headers of a message the names that they have in its dead letter. The names of the added headers are free then.</summary>
    public static void Reserve(IDictionary<string, string> headers)
    {
        // The longest first: the name with one more prefix is free by then.
        foreach (var (name, value) in headers.Where(static header => IsReserved(header.Key)).OrderByDescending(static header => header.Key.Length).ToList())
        {
            headers.Remove(name);
            headers[Prefix + name] = value;
        }
    }

    /// <summary>Removes the added headers, and gives those of the message their names again.</summary>
    public static void Restore(IDictionary<string, string> headers)
    {
        if (!headers.ContainsKey(Handler))
        {
            foreach (var name in OfBridge)
            {
                headers.Remove(name);
            }
        }

        // The shortest first, which are the added ones.
        foreach (var (name, value) in headers.Where(static header => IsReserved(header.Key)).OrderBy(static header => header.Key.Length).ToList())
        {
            headers.Remove(name);
            if (name.StartsWith(Prefix, StringComparison.Ordinal))
            {
                headers[name[Prefix.Length..]] = value;
            }
        }
    }

    // A name of an added header, with or without prefixes: a message may have a header with a prefix too.
    private static bool IsReserved(string name)
    {
        var rest = name.AsSpan();
        while (rest.StartsWith(Prefix, StringComparison.Ordinal))
        {
            rest = rest[Prefix.Length..];
        }

        return rest.SequenceEqual(Handler) || rest.SequenceEqual(ExceptionType) || rest.SequenceEqual(Published);
    }
}
