namespace BufferedMessages;

/// <summary>
/// The exception for two keys of a dictionary, or two elements of a set, with the same bytes, so that a lookup in the message could find only one.
/// The comparer of the source distinguishes keys that are equal on the wire.
/// </summary>
public sealed class DuplicateKeyException : Exception
{
    internal DuplicateKeyException(object? key)
        : base(FormattableString.Invariant($"The key '{key}' is in a dictionary or set twice: its comparer distinguishes keys with the same bytes. Use a comparer that compares by value.")) =>
        Key = FormattableString.Invariant($"{key}");

    /// <summary>Gets the key as text.</summary>
    public string Key { get; }
}
