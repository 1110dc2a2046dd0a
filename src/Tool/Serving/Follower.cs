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

    // A queue that is faster than a reader goes on at its end.
    private static readonly TimeSpan LongestSkip = TimeSpan.FromMilliseconds(5);

    private readonly MessageQueue _queue;
    private readonly MessageReader<RawMessage> _reader;
    private readonly RecordView _view;

    /// <param name="path">The queue.</param>
    /// <param name="start">The place of the first message.</param>
    public Follower(string path, QueueStart start)
    {
        _queue = MessageQueue.OpenReadOnly(path);
        try
        {
            _reader = Open(_queue, start);
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
        var (count, skipped) = (0, 0L);
        var end = _reader.Position;
        try
        {
            while (count < MaxRecords && _reader.TryRead(out var delivery))
            {
                _view.Write(json, delivery);

                // No seek is allowed while the last one is open.
                delivery.Commit();
                end = _reader.Position;
                count++;
            }

            if (_queue.PublishedPosition - _reader.Position > MaxLagBytes)
            {
                skipped = SkipToLast();
            }
        }
        catch (MessagesDeletedException exception)
        {
            skipped = exception.FirstPosition - end;
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

    // The last message is read again next time, so that a page shows it if no other one comes. Gives the bytes that are left out.
    private long SkipToLast()
    {
        var before = _reader.Position;
        var last = before;
        var begin = Stopwatch.GetTimestamp();
        while (_reader.TryRead(out var delivery))
        {
            last = delivery.Position;
            delivery.Commit();
            if (Stopwatch.GetElapsedTime(begin) > LongestSkip)
            {
                _reader.Seek(QueueStart.Latest);
                return _reader.Position - before;
            }
        }

        try
        {
            _reader.Seek(QueueStart.At(last));
        }
        catch (ArgumentOutOfRangeException)
        {
            // It is deleted already, or nothing was read.
            _reader.Seek(QueueStart.Latest);
        }

        return _reader.Position - before;
    }

    // The messages after a page may be deleted already.
    private static MessageReader<RawMessage> Open(MessageQueue queue, QueueStart start)
    {
        try
        {
            return queue.OpenReader<RawMessage>(start);
        }
        catch (ArgumentOutOfRangeException)
        {
            return queue.OpenReader<RawMessage>(QueueStart.Latest);
        }
    }
}
