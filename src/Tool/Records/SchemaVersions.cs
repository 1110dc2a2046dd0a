namespace BufferedMessages.Tool;

/// <summary>
/// The stored schemas of a queue. The newest version shows every message, as the readers in other languages do: a member that the message's writer did not know is null or zero. Serves one
/// thread at a time.
/// </summary>
internal sealed class SchemaVersions
{
    private readonly MessageQueue _queue;
    private ulong _fingerprint;

    public SchemaVersions(MessageQueue queue)
    {
        _queue = queue;
        _fingerprint = queue.ContentFingerprint;
        All = queue.Schemas;
    }

    /// <summary>Gets the versions, the oldest first; empty for bytes and values.</summary>
    public IReadOnlyList<MessageSchema> All { get; private set; }

    /// <summary>Gets the schema to show messages with; null if the queue has none: its messages are bytes.</summary>
    public MessageSchema? Newest
    {
        get
        {
            // A program of a later version may open the queue while its messages are followed.
            if (_queue.ContentFingerprint is var fingerprint && fingerprint != _fingerprint)
            {
                All = _queue.Schemas;
                _fingerprint = fingerprint;
            }

            return All is [.., var newest] ? newest : null;
        }
    }
}
