using System.Buffers.Binary;
using BufferedMessages.Segments;

namespace BufferedMessages.Hosting;

/// <summary>
/// The dead letters that were taken out while earlier ones stayed: a file with the id of each. A record that was not written as a whole is ignored. So is an id of another epoch: after the end of
/// the dead letters was cut off, others come to the same positions.
/// </summary>
internal sealed class RemovedLetters
{
    private const int EpochOffset = 16;
    private const int PositionOffset = EpochOffset + sizeof(long);
    private const int RecordBytes = PositionOffset + sizeof(long);

    private readonly string _path;
    private readonly FilePermissions _permissions;
    private readonly HashSet<MessageId> _ids = [];
    private long _end;
    private bool _isFlushed = true;

    private RemovedLetters(string path, FilePermissions permissions)
    {
        _path = path;
        _permissions = permissions;
    }

    /// <summary>Reads the file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="permissions">Those that it gets when it is created.</param>
    public static RemovedLetters Read(string path, FilePermissions permissions)
    {
        var letters = new RemovedLetters(path, permissions);
        var records = ReadFile(path);
        letters._end = records.Length / RecordBytes * RecordBytes;
        for (var offset = 0; offset <= records.Length - RecordBytes; offset += RecordBytes)
        {
            var record = records.AsSpan(offset, RecordBytes);
            letters._ids.Add(new MessageId(new Guid(record[..EpochOffset]), BinaryPrimitives.ReadInt64LittleEndian(record[EpochOffset..]), BinaryPrimitives.ReadInt64LittleEndian(record[PositionOffset..])));
        }

        return letters;
    }

    public bool Contains(MessageId id) => _ids.Contains(id);

    /// <summary>Makes room for the next dead letter: a full disk is an exception here, and not after the letter was published.</summary>
    public void MakeRoom() => Write(new byte[RecordBytes]);

    /// <summary>Adds a dead letter, for which room was made. It is in the file when this returns.</summary>
    public void Add(MessageId id)
    {
        Write(RecordOf(id));
        _end += RecordBytes;
        _ids.Add(id);
        _isFlushed = false;
    }

    /// <summary>Writes the dead letters that were added to the disk: a crash of the machine would list them again.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public void Flush()
    {
        if (_isFlushed)
        {
            return;
        }

        using (var file = File.OpenHandle(_path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            DiskFlush.OfFile(file, _path);
        }

        FlushName();
        _isFlushed = true;
    }

    /// <summary>Forgets the dead letters that the cursor of the removed ones has passed.</summary>
    public void ForgetThrough(long position)
    {
        _ids.RemoveWhere(removed => removed.Position <= position);
        if (_ids.Count == 0)
        {
            File.Delete(_path);
            return;
        }

        // Replaced as a whole, so that a crash leaves either the old file or the new one.
        var next = _path + ".new";
        try
        {
            using (var file = _permissions.CreateFile(next, FileShare.None))
            {
                file.Write([.. _ids.SelectMany(RecordOf)]);
                file.Flush(flushToDisk: true);
            }

            File.Move(next, _path, overwrite: true);
            FlushName();
        }
        catch (IOException exception) when (MappedFile.IsOutOfSpace(exception))
        {
            // A letter before the cursor may stay in the file: the next removal forgets it.
            File.Delete(next);
        }
    }

    // Another process deletes the file when the cursor of the removed letters has passed all of them, or a person the folder.
    private static byte[] ReadFile(string path)
    {
        try
        {
            return File.ReadAllBytes(path);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return [];
        }
    }

    private void FlushName() => DiskFlush.TryOfDirectory(Path.GetDirectoryName(_path)!);

    // Only one process removes at a time.
    private void Write(byte[] record)
    {
        _permissions.CreateEmpty(_path);
        using var file = File.OpenHandle(_path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.Write(file, record, _end);
    }

    private static byte[] RecordOf(MessageId id)
    {
        var record = new byte[RecordBytes];
        id.QueueId.TryWriteBytes(record);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(EpochOffset), id.Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(PositionOffset), id.Position);
        return record;
    }
}
