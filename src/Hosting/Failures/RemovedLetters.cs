using System.Buffers.Binary;
using BufferedMessages.Segments;

namespace BufferedMessages.Hosting;

/// <summary>
/// The dead letters that were taken out while earlier ones stayed: a file with the id of the dead letters' queue and a position for each. A record that was not written as a whole is ignored.
/// </summary>
internal sealed class RemovedLetters
{
    private const int IdBytes = 16;
    private const int RecordBytes = IdBytes + sizeof(long);

    private readonly string _path;
    private readonly Guid _queueId;
    private readonly HashSet<long> _positions = [];
    private long _end;

    private RemovedLetters(string path, Guid queueId)
    {
        _path = path;
        _queueId = queueId;
    }

    public static RemovedLetters Read(string path, Guid queueId)
    {
        var letters = new RemovedLetters(path, queueId);
        var records = ReadFile(path);
        letters._end = records.Length / RecordBytes * RecordBytes;
        for (var offset = 0; offset <= records.Length - RecordBytes; offset += RecordBytes)
        {
            var record = records.AsSpan(offset, RecordBytes);
            if (new Guid(record[..IdBytes]) == queueId)
            {
                letters._positions.Add(BinaryPrimitives.ReadInt64LittleEndian(record[IdBytes..]));
            }
        }

        return letters;
    }

    public bool Contains(long position) => _positions.Contains(position);

    /// <summary>Makes room for the next dead letter: a full disk is an exception here, and not after the letter was published.</summary>
    public void MakeRoom() => Write(new byte[RecordBytes]);

    /// <summary>Adds a dead letter, for which room was made. It is in the file when this returns.</summary>
    public void Add(long position)
    {
        Write(RecordOf(position));
        _end += RecordBytes;
        _positions.Add(position);
    }

    /// <summary>Forgets the dead letters that the cursor of the removed ones has passed.</summary>
    public void ForgetThrough(long position)
    {
        _positions.RemoveWhere(removed => removed <= position);
        if (_positions.Count == 0)
        {
            File.Delete(_path);
            return;
        }

        // Replaced as a whole, so that a crash leaves the one or the other.
        var next = _path + ".new";
        try
        {
            File.WriteAllBytes(next, [.. _positions.SelectMany(RecordOf)]);
            File.Move(next, _path, overwrite: true);
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

    // Only one process removes at a time.
    private void Write(byte[] record)
    {
        using var file = File.OpenHandle(_path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.Write(file, record, _end);
    }

    private byte[] RecordOf(long position)
    {
        var record = new byte[RecordBytes];
        _queueId.TryWriteBytes(record);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(IdBytes), position);
        return record;
    }
}
