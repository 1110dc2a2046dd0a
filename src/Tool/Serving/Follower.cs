using System.Buffers;
using System.Diagnostics;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// The new messages of a queue for one page. A page cannot show the messages of a fast queue: those that it cannot keep up with are left out, and counted. Serves one thread at a time.
/// </summary>
internal sealed class Follower : IDisposable
{
    private const int MaxRecords = 100;
    private const int MaxLagBytes = 64 * 1024;

    // Of a look at the queue. A longer backlog is left out when nothing new comes, step by step.
    private static readonly TimeSpan LongestSkip = TimeSpan.FromMilliseconds(5);

    private readonly MessageQueue _queue;
    private readonly MessageReader<RawMessage> _reader;
    private readonly RecordView _view;

    // The reader was put at the end of the queue. A walk from this message finds the last one, which a page shows if no other one comes.
    private long? _passed;

    // The bytes from the start to the earliest message, if that of the start is deleted. The first answer counts them.
    private long _deleted;

    /// <param name="path">The queue.</param>
    /// <param name="start">The place of the first message.</param>
    public Follower(string path, QueueStart start)
    {
        _queue = MessageQueue.OpenReadOnly(path);
        try
        {
            _reader = Open(_queue, start);
            _deleted = Math.Max((_reader.Position - start.Position) ?? 0, 0);
            _view = new RecordView(new SchemaVersions(_queue));
        }
        catch
        {
            _queue.Dispose();
            throw;
        }
    }

    /// <summary>Reads the messages that came.</summary>
    /// <returns>An object with the records, and the bytes that were left out; null if there is nothing new.</returns>
    public ReadOnlyMemory<byte>? Read()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(buffer);
        json.WriteStartObject();
        json.WriteStartArray("records"u8);
        var (count, skipped) = (0, _deleted);
        _deleted = 0;
        var end = _reader.Position;
        try
        {
            while (count < MaxRecords && buffer.WrittenCount + json.BytesPending <= MessagePage.MaxBytes && _reader.TryRead(out var delivery))
            {
                _view.Write(json, delivery);

                // No seek is allowed while the last one is open.
                delivery.Commit();
                end = _reader.Position;
                count++;
            }

            _passed = count == 0 ? _passed : null;
            var before = _reader.Position;
            if (_queue.PublishedPosition - before > MaxLagBytes)
            {
                SkipToLast();
                skipped += _reader.Position - before;
            }
            else if (_passed is { } place)
            {
                GoBack(place);
            }
        }
        catch (MessagesDeletedException exception)
        {
            skipped += Math.Max(exception.FirstPosition - end, 0);
            _reader.Seek(QueueStart.Earliest);
        }

        json.WriteEndArray();
        json.WriteNumber("skippedBytes"u8, skipped);
        json.WriteEndObject();
        json.Flush();
        return count == 0 && skipped == 0 ? default(ReadOnlyMemory<byte>?) : buffer.WrittenMemory;
    }

    public void Dispose()
    {
        _view.Dispose();
        _reader.Dispose();
        _queue.Dispose();
    }

    // The last message is read again at the next look.
    private void SkipToLast()
    {
        var begin = Stopwatch.GetTimestamp();
        long? last = null;
        while (_reader.TryRead(out var delivery))
        {
            last = delivery.Position;
            delivery.Commit();
            if (Stopwatch.GetElapsedTime(begin) > LongestSkip)
            {
                _passed = last;
                _reader.Seek(QueueStart.Latest);
                return;
            }
        }

        _passed = null;
        if (last is { } place)
        {
            TrySeek(place);
        }
    }

    private void GoBack(long place)
    {
        _passed = null;
        if (TrySeek(place))
        {
            SkipToLast();
        }
    }

    // False, and at the end of the queue, if the message is deleted already.
    private bool TrySeek(long place)
    {
        try
        {
            _reader.Seek(QueueStart.At(place));
            return true;
        }
        catch (ArgumentOutOfRangeException)
        {
            _reader.Seek(QueueStart.Latest);
            return false;
        }
    }

    // The last message of a page may be deleted already.
    private static MessageReader<RawMessage> Open(MessageQueue queue, QueueStart start)
    {
        try
        {
            return queue.OpenReader<RawMessage>(start);
        }
        catch (ArgumentOutOfRangeException)
        {
            return queue.OpenReader<RawMessage>(QueueStart.Earliest);
        }
    }
}
