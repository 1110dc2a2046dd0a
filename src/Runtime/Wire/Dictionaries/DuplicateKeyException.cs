namespace BufferedMessages;

/// <summary>
/// Two keys of a dictionary, or two elements of a set, have the same bytes, so that a lookup in the message could find only one of them.
/// The comparer of the source takes for different what is equal on the wire.
/// </summary>
public sealed class DuplicateKeyException : Exception
{
    internal DuplicateKeyException(string key)
        : base($"The key '{key}' is in a dictionary or set twice: its comparer takes for different what has the same bytes. Use a comparer that compares by value.") =>
        Key = key;

    /// <summary>The key as text.</summary>
    public string Key { get; }
}
