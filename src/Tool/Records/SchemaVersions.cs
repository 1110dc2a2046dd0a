namespace BufferedMessages.Tool;

/// <summary>
/// The stored schemas of a queue, and the choice of one for each message. A record does not say which version wrote it. The newest version that the message matches exactly is used, as its
/// writer's does; if it matches none, the newest one. Serves one thread at a time.
/// </summary>
internal sealed class SchemaVersions
{
    private const long MillisecondsBetweenLooks = 1000;

    private readonly MessageQueue? _queue;
    private IReadOnlyList<MessageSchema> _versions;
    private long _lastLook = Environment.TickCount64;

    public SchemaVersions(MessageQueue queue)
        : this(queue.Schemas) => _queue = queue;

    public SchemaVersions(IReadOnlyList<MessageSchema> versions) => _versions = versions;

    /// <summary>Gets the versions, the oldest first; empty for bytes and values.</summary>
    public IReadOnlyList<MessageSchema> All => _versions;

    /// <summary>Finds the schema to show a message with.</summary>
    /// <returns>Null if the queue has none: its messages are bytes.</returns>
    public MessageSchema? Of(ReadOnlySpan<byte> message)
    {
        LookAgain();
        if (_versions is not [.., var newest])
        {
            return null;
        }

        if (_versions.Count == 1 || BufferedMessage.Verify(message, newest, out _, exact: true))
        {
            return newest;
        }

        for (var i = _versions.Count - 2; i >= 0; i--)
        {
            if (BufferedMessage.Verify(message, _versions[i], out _, exact: true))
            {
                return _versions[i];
            }
        }

        return newest;
    }

    // A program of a later version may open the queue while its messages are followed.
    private void LookAgain()
    {
        if (_queue is not null && Environment.TickCount64 - _lastLook >= MillisecondsBetweenLooks)
        {
            _lastLook = Environment.TickCount64;
            _versions = _queue.Schemas;
        }
    }
}
