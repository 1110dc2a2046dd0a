using System.Text;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The messages that readers of other languages are given, with their schemas; batch.py describes the file. The file is deleted with it.</summary>
internal sealed class ReaderFile : IDisposable
{
    private readonly List<(MessageSchema Schema, List<(byte[] Message, bool IsRead)> Messages)> _groups = [];
    private readonly string _path = Path.GetTempFileName();
    private bool _isSaved;

    /// <summary>All messages in the order of the file, each with its schema and whether it is read.</summary>
    public IEnumerable<(MessageSchema Schema, byte[] Message, bool IsRead)> Messages =>
        from @group in _groups from message in @group.Messages select (@group.Schema, message.Message, message.IsRead);

    /// <summary>Begins the messages of a schema.</summary>
    public void Begin(MessageSchema schema) => _groups.Add((schema, []));

    /// <summary>Adds a message of the schema that was begun last.</summary>
    /// <param name="message">The message.</param>
    /// <param name="isRead">Whether it is read too, not only verified: it must be valid.</param>
    public void Add(byte[] message, bool isRead) => _groups[^1].Messages.Add((message, isRead));

    /// <summary>Writes the file, once.</summary>
    public string Save()
    {
        if (!_isSaved)
        {
            using var writer = new BinaryWriter(File.Create(_path));
            foreach (var (schema, messages) in _groups)
            {
                var text = Encoding.UTF8.GetBytes(schema.Text);
                writer.Write(text.Length);
                writer.Write(text);
                writer.Write(messages.Count);
                foreach (var (message, isRead) in messages)
                {
                    writer.Write(isRead);
                    writer.Write(message.Length);
                    writer.Write(message);
                }
            }

            _isSaved = true;
        }

        return _path;
    }

    /// <summary>Puts the results of several processes in the order of the file; each did every so many schemas.</summary>
    public IReadOnlyList<ReaderLine> Merge(IReadOnlyList<IReadOnlyList<ReaderLine>> parts)
    {
        var taken = new int[parts.Count];
        var lines = new List<ReaderLine>();
        for (var i = 0; i < _groups.Count; i++)
        {
            var part = i % parts.Count;
            lines.AddRange(parts[part].Skip(taken[part]).Take(_groups[i].Messages.Count));
            taken[part] += _groups[i].Messages.Count;
        }

        return lines;
    }

    public void Dispose() => File.Delete(_path);
}
