using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>The places of the dead letters of a queue: the queue <c>dead/handler</c> in its folder, and beside it the notes about them.</summary>
internal static class DeadLetterFolder
{
    private const string AttemptsEnding = ".attempts";
    private const string RemovedEnding = ".removed";

    /// <summary>The folder with the dead letters of all handlers.</summary>
    public static string Of(string queuePath) => Path.Combine(queuePath, DeadLetterNames.Folder);

    /// <summary>The queue of the dead letters of a handler.</summary>
    public static string Of(string queuePath, string handler) => Path.Combine(Of(queuePath), RequireName(handler));

    /// <summary>The folder with the notes about attempts of a handler.</summary>
    public static string AttemptsOf(string queuePath, string handler) => Of(queuePath, handler) + AttemptsEnding;

    /// <summary>The file with the dead letters that were taken out before earlier ones.</summary>
    public static string RemovedOf(string queuePath, string handler) => Of(queuePath, handler) + RemovedEnding;

    /// <summary>Requires a name for a handler: one that a folder can have, and that the notes about another handler cannot have. A bridge may have such a name.</summary>
    /// <exception cref="ArgumentException">A handler cannot have the name.</exception>
    public static string RequireHandlerName(string name) =>
        RequireName(name).EndsWith(AttemptsEnding, StringComparison.OrdinalIgnoreCase) || name.EndsWith(RemovedEnding, StringComparison.OrdinalIgnoreCase)
            ? throw new ArgumentException($"'{name}' cannot be the name of a handler: the notes about the dead letters of another one may have a name that ends with {AttemptsEnding} or {RemovedEnding}.", nameof(name))
            : name;

    /// <summary>Requires a name that a folder can have.</summary>
    /// <exception cref="ArgumentException">A folder cannot have the name.</exception>
    public static string RequireName(string name) =>
        string.IsNullOrEmpty(name) || name[0] == '.' || name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars()) || name.Contains('/', StringComparison.Ordinal)
            ? throw new ArgumentException($"'{name}' cannot be the name of a handler: it must be a valid name of a folder, and must not begin with a dot.", nameof(name))
            : name;
}
