using System.Globalization;
using BufferedMessages.Segments;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Hosting;

/// <summary>
/// The notes about attempts at messages whose process died: a file for each message, with a byte for each attempt but the first. A byte is appended before a redelivered message is handled, and
/// survives the death of the process. The first attempt at a message writes nothing, unless the stop of the host ends it: then the file begins with a byte that says so. The file of a message from
/// before a crash of the machine begins with it too: each of them is redelivered, whether or not there was an attempt. Only the process that has the message uses its file.
/// </summary>
/// <param name="queue">The queue, whose permissions the notes get too.</param>
/// <param name="handler">The name of the handler.</param>
internal sealed class AttemptNotes(MessageQueue queue, string handler)
{
    private const byte Begun = 0;
    private const byte FirstWasNoDeath = 1;

    private readonly string _queuePath = queue.Path;
    private readonly string _folder = DeadLetterFolder.AttemptsOf(queue.Path, handler);
    private readonly FilePermissions _permissions = queue.Permissions;
    private readonly long _epoch = queue.Epoch;

    /// <summary>Notes that another attempt at a redelivered message begins.</summary>
    /// <returns>How many attempts were begun before, and in how many of them the process died.</returns>
    public (int Begun, int Deaths) Begin(in MessageId id)
    {
        using var file = Open(id, FileAccess.ReadWrite);
        var noted = RandomAccess.GetLength(file);
        Span<byte> first = [Begun];
        if (noted == 0 && id.Epoch != _epoch)
        {
            first[0] = FirstWasNoDeath;
            RandomAccess.Write(file, first, noted++);
        }

        RandomAccess.Read(file, first, fileOffset: 0);
        RandomAccess.Write(file, [Begun], noted);
        noted = Math.Min(noted, int.MaxValue - 2);
        return first[0] == FirstWasNoDeath ? ((int)noted, (int)noted - 1) : ((int)noted + 1, (int)noted + 1);
    }

    /// <summary>Takes back the note of an attempt that ended without a result because the host stopped.</summary>
    public void TakeBack(in MessageId id)
    {
        using var file = File.OpenHandle(PathOf(id), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.SetLength(file, Math.Max(0, RandomAccess.GetLength(file) - 1));
    }

    /// <summary>Notes that the first attempt, which has no note, ended without a result because the host stopped.</summary>
    public void TakeFirstBack(in MessageId id)
    {
        using var file = Open(id, FileAccess.Write);
        RandomAccess.Write(file, [FirstWasNoDeath], fileOffset: 0);
    }

    /// <summary>Forgets a message that is handled, or a dead letter.</summary>
    public void Forget(in MessageId id) => File.Delete(PathOf(id));

    /// <summary>Forgets the messages of a queue that was here before, and those that retention has deleted.</summary>
    public void ForgetOld(Guid queueId, long firstPosition)
    {
        if (!Directory.Exists(_folder))
        {
            return;
        }

        foreach (var path in Directory.EnumerateFiles(_folder))
        {
            var parts = Path.GetFileName(path).Split('-');
            var isOld = parts.Length == 3
                && Guid.TryParse(parts[0], out var id)
                && long.TryParse(parts[2], CultureInfo.InvariantCulture, out var position)
                && (id != queueId || position < firstPosition);
            if (isOld)
            {
                File.Delete(path);
            }
        }
    }

    private SafeFileHandle Open(in MessageId id, FileAccess access)
    {
        var path = PathOf(id);
        _permissions.CreateFolder(DeadLetterFolder.Of(_queuePath));
        _permissions.CreateFolder(_folder);
        _permissions.CreateEmpty(path);
        return File.OpenHandle(path, FileMode.Open, access, FileShare.ReadWrite);
    }

    private string PathOf(in MessageId id) => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{id.QueueId:N}-{id.Epoch}-{id.Position}"));
}
