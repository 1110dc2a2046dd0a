using System.Globalization;
using BufferedMessages.Segments;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Hosting;

/// <summary>
/// The notes about attempts at messages whose process died: a file for each message, with a byte for each attempt but the first. A byte is appended before a redelivered message is handled, and
/// survives the death of the process. The first attempt at a message writes nothing, unless the stop of the host ends it: then the file begins with a byte that says so. The process that has the
/// message is the only one that uses its file.
/// </summary>
/// <param name="queuePath">The folder of the queue.</param>
/// <param name="handler">The name of the handler.</param>
/// <param name="permissions">Those of the queue's files, which its notes get too.</param>
internal sealed class AttemptNotes(string queuePath, string handler, FilePermissions permissions)
{
    private const byte Begun = 0;
    private const byte FirstEndedWithStop = 1;

    private readonly string _folder = DeadLetterFolder.AttemptsOf(queuePath, handler);

    /// <summary>Notes that another attempt at a redelivered message begins.</summary>
    /// <returns>How many attempts were begun before, and in how many of them the process died.</returns>
    public (int Begun, int Deaths) Begin(in MessageId id)
    {
        using var file = Open(id, FileAccess.ReadWrite);
        var noted = RandomAccess.GetLength(file);
        Span<byte> first = [Begun];
        RandomAccess.Read(file, first, fileOffset: 0);
        RandomAccess.Write(file, [Begun], noted);
        noted = Math.Min(noted, int.MaxValue - 2);
        return first[0] == FirstEndedWithStop ? ((int)noted, (int)noted - 1) : ((int)noted + 1, (int)noted + 1);
    }

    /// <summary>Takes the note of an attempt back, which ended without a result because the host stopped.</summary>
    public void TakeBack(in MessageId id)
    {
        using var file = File.OpenHandle(PathOf(id), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.SetLength(file, Math.Max(0, RandomAccess.GetLength(file) - 1));
    }

    /// <summary>Notes that the first attempt, which has no note, ended without a result because the host stopped.</summary>
    public void TakeFirstBack(in MessageId id)
    {
        using var file = Open(id, FileAccess.Write);
        RandomAccess.Write(file, [FirstEndedWithStop], fileOffset: 0);
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
        permissions.CreateFolder(DeadLetterFolder.Of(queuePath));
        permissions.CreateFolder(_folder);
        permissions.CreateEmpty(path);
        return File.OpenHandle(path, FileMode.Open, access, FileShare.ReadWrite);
    }

    private string PathOf(in MessageId id) => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{id.QueueId:N}-{id.Epoch}-{id.Position}"));
}
