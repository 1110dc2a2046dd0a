using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The execution of the changes that other processes ask the owner for.</summary>
internal sealed class ChangeExecution(CacheEngine engine)
{
    private readonly string _directory = engine.Store.Control.Directory;
    private readonly CacheWriter _writer = engine.RequireWriter();

    /// <summary>Makes a change, and returns its outcome.</summary>
    /// <exception cref="ObjectDisposedException">The cache is being closed: the change is left to the next owner.</exception>
    public ChangeAnswer Execute(in ChangeHead head, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var answer = new ChangeAnswer { Number = head.Number, Outcome = ChangeOutcome.Done };
        try
        {
            using var file = head.ContentFile == Guid.Empty ? null : OpenFile(in head);
            answer.Outcome = Make(in head, file is null ? key : ReadKey(in head, file), value, file) ? ChangeOutcome.Done : ChangeOutcome.NothingThere;
        }
        catch (CacheEntryTooLargeException exception)
        {
            (answer.Outcome, answer.Asked, answer.Limit) = (ChangeOutcome.TooLarge, exception.Bytes, exception.MaxBytes);
        }
        catch (DiskFullException exception)
        {
            (answer.Outcome, answer.Asked) = (ChangeOutcome.DiskFull, exception.Bytes);
        }
        catch (TimeoutException)
        {
            answer.Outcome = ChangeOutcome.NoSegment;
        }
        catch (Exception exception) when (exception is not ObjectDisposedException)
        {
            (answer.Outcome, answer.Code) = (ChangeOutcome.Failed, exception.HResult);
        }

        return answer;
    }

    /// <summary>Leaves a set that waits for a segment to the next owner: the cache is being closed.</summary>
    public void EndWaits() => _writer.EndWaits();

    private bool Make(in ChangeHead head, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, FileStream? file)
    {
        var tags = head.Kind == ChangeKind.Set && head.TagBytes != 0 ? TagsOf(in head, key) : default;
        key = key[..^tags.Length];
        switch (head.Kind)
        {
            case ChangeKind.Set when IsOver(in head):
                // The entry expired on its way. It still replaces the older one.
                _writer.Remove(key);
                return true;
            case ChangeKind.Set:
                Set(in head, key, value, tags, file);
                return true;
            case ChangeKind.Remove:
                return _writer.Remove(key);
            case ChangeKind.Touch when head.ProlongsOnly == 0 && IsOver(in head):
                return _writer.Remove(key);
            case ChangeKind.Touch:
                return _writer.Touch(key, head.First, prolongs: head.ProlongsOnly != 0);
            case ChangeKind.RemoveTags:
                _writer.RemoveTags((ushort)head.TagGroup);
                return true;
            case ChangeKind.Clear:
                _writer.Clear();
                return true;
            default:
                throw new InvalidDataException($"There is no change of the kind {head.Kind}.");
        }
    }

    private bool IsOver(in ChangeHead head)
    {
        var end = head.Window == 0 ? head.Times.End : head.Latest;
        return end != ExpiryTimes.Never && end <= ExpiryTimes.Now(engine.Store.Clock);
    }

    private static ReadOnlySpan<byte> TagsOf(in ChangeHead head, ReadOnlySpan<byte> key) =>
        TagBlock.IsPossible(head.TagBytes) && head.TagBytes <= key.Length
            ? key[^head.TagBytes..]
            : throw new InvalidDataException($"There are no tags of {head.TagBytes} bytes.");

    private void Set(in ChangeHead head, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> tags, FileStream? file)
    {
        var times = head.Window == 0 ? head.Times : ExpiryTimes.Sliding(ExpiryTimes.Now(engine.Store.Clock), head.Latest, head.Window);
        var reservation = _writer.Reserve(key, XxHash64.Hash(key), head.ValueBytes, head.Schema, times, tags);
        try
        {
            if (file is null)
            {
                value.CopyTo(reservation.Value);
            }
            else
            {
                Read(file, reservation.Value, head.ValueCheck);
            }
        }
        catch
        {
            _writer.Abandon(in reservation);
            throw;
        }

        _writer.Publish(in reservation, key);
    }

    private FileStream OpenFile(in ChangeHead head) => File.OpenRead(SharingFiles.Content(_directory, head.Answers, head.ContentFile));

    private static byte[] ReadKey(in ChangeHead head, FileStream file)
    {
        // A wrong length must not decide how much memory is allocated.
        var key = new byte[Math.Min(head.KeyBytes, file.Length)];
        Read(file, key, head.KeyCheck);
        return key;
    }

    private static void Read(FileStream file, Span<byte> bytes, ulong check)
    {
        file.ReadExactly(bytes);
        if (XxHash64.Hash(bytes) != check)
        {
            throw new InvalidDataException($"'{file.Name}' does not hold the key and the value that were written there.");
        }
    }
}
