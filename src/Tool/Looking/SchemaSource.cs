namespace BufferedMessages.Tool;

/// <summary>The places that schemas come from: a queue, a cache, or a file with a schema text.</summary>
internal static class SchemaSource
{
    /// <summary>The explanation of such an argument, for the help.</summary>
    public const string Help = "a queue, a cache or a file with a schema text";

    /// <summary>Finds the versions of a queue, the schemas of a cache, or those of a file.</summary>
    /// <exception cref="ToolException">There is none.</exception>
    public static IReadOnlyList<MessageSchema> Find(string given)
    {
        if (File.Exists(given) && Recognition.Find(Path.GetFullPath(given)) is null)
        {
            return Parse(given, File.ReadAllText(given));
        }

        var target = TargetResolver.Find(given, TargetKind.Queue, TargetKind.Cache);
        if (target.Kind == TargetKind.Cache)
        {
            return [.. CacheSchemas.In(target.Path).Values];
        }

        using var queue = MessageQueue.OpenReadOnly(target.Path);
        return queue.Schemas;
    }

    /// <summary>Finds the versions of one type, the newest one last: those of a queue or of a file, or the schema of a cache.</summary>
    /// <exception cref="ToolException">There is none, or a cache has several schemas, which are those of several types.</exception>
    public static IReadOnlyList<MessageSchema> FindVersions(string given)
    {
        var schemas = Find(given);
        if (schemas.Count > 1 && IsCache(given))
        {
            throw new ToolException(
                $"'{given}' is a cache with {schemas.Count} schemas, and none of them is the newest. Write one to a file by `schema` with --version, and give that file.");
        }

        return schemas.Count > 0 ? schemas : throw Missing(given);
    }

    /// <summary>Finds the schema to show a message with: the newest version, or that type of a cache which the message matches exactly.</summary>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="ToolException">There is no such source.</exception>
    public static MessageSchema? FindFor(ReadOnlySpan<byte> message, string given)
    {
        var schemas = Find(given);
        if (IsCache(given))
        {
            foreach (var schema in schemas)
            {
                if (BufferedMessage.Verify(message, schema, out _, exact: true))
                {
                    return schema;
                }
            }
        }

        return schemas.Count == 0 ? null : schemas[^1];
    }

    /// <summary>Says that a source has no schema.</summary>
    public static ToolException Missing(string given, ExitCode code = ExitCode.Unanswered) => new($"'{given}' has no schema: its messages are bytes or values, or there was no producer yet.", code);

    private static bool IsCache(string given) => Recognition.Find(Path.GetFullPath(given)) is { Kind: TargetKind.Cache };

    private static IReadOnlyList<MessageSchema> Parse(string file, string text)
    {
        try
        {
            return [.. text.ReplaceLineEndings("\n").Split("\n\n").Select(static version => MessageSchema.Parse(version.TrimEnd('\n') + '\n'))];
        }
        catch (FormatException exception)
        {
            throw new ToolException($"'{file}' is not a queue, a cache or a schema text. {exception.Message}");
        }
    }
}
