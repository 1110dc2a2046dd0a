using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The segment files of a durable queue. A file has its final name only when it is complete, and is never shortened.</summary>
internal sealed unsafe class SegmentLog(ControlFile control)
{
    public const string Extension = ".segment";

    /// <summary>How many segments are open for reading; the files of all below this number exist.</summary>
    public long OpenSegments => Volatile.Read(ref control.Header->OpenSegments);

    /// <summary>Maps a segment that is open.</summary>
    /// <exception cref="QueueCorruptedException">The file is gone, or is not as long as a segment.</exception>
    public MappedFile Open(long segment)
    {
        var path = PathOf(segment);
        MappedFile file;
        try
        {
            file = MappedFile.Open(path);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            throw new QueueCorruptedException(path, segment * control.SegmentBytes, "the segment is missing or empty");
        }

        if (file.Length != control.SegmentBytes)
        {
            var length = file.Length;
            file.Dispose();
            throw new QueueCorruptedException(path, segment * control.SegmentBytes, $"the segment has {length} bytes instead of {control.SegmentBytes}");
        }

        return file;
    }

    /// <summary>Maps a segment, and creates its file first where it does not exist.</summary>
    /// <exception cref="DiskFullException">There is no room for it.</exception>
    public MappedFile OpenOrCreate(long segment, int slot)
    {
        var path = PathOf(segment);
        if (!File.Exists(path))
        {
            MappedFile.Create(path, control.SegmentBytes, $"{slot}.creating");
        }

        return Open(segment);
    }

    /// <summary>Lets readers enter the segments below a number.</summary>
    public void Publish(long openSegments) => Volatile.Write(ref control.Header->OpenSegments, openSegments);

    /// <summary>The position behind the last record that is published.</summary>
    public long FindTail()
    {
        var segments = OpenSegments;
        if (segments == 0)
        {
            return 0;
        }

        using var file = Open(segments - 1);
        return ((segments - 1) * control.SegmentBytes) + FindOffset(file, (segments - 1) * control.SegmentBytes, control.SegmentBytes);
    }

    /// <summary>Makes sure that a record starts at a position, or that it is the tail.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not.</exception>
    public void RequireRecordAt(long position, string parameterName)
    {
        var segment = position / control.SegmentBytes;
        var wanted = position % control.SegmentBytes;
        if (wanted == 0 && segment <= OpenSegments)
        {
            return;
        }

        if (segment < OpenSegments)
        {
            using var file = Open(segment);
            if (FindOffset(file, segment * control.SegmentBytes, wanted) == wanted)
            {
                return;
            }
        }

        throw new ArgumentOutOfRangeException(
            parameterName, position, "No message starts at this position. Use a position that Publish returned or that a lease named.");
    }

    /// <summary>
    /// Walks over the records of a segment from its start, to the first that is not finished or starts at the limit or behind it.
    /// </summary>
    /// <returns>The offset of that record in the segment.</returns>
    public long FindOffset(MappedFile file, long segmentPosition, long limit)
    {
        long offset = 0;
        while (offset < limit)
        {
            var word = Volatile.Read(ref *(ulong*)(file.Start + offset));
            if (RecordWord.State(word) is not (RecordWord.Committed or RecordWord.Padding))
            {
                RequireUnfinished(file.Path, segmentPosition + offset, word, control.SegmentBytes - offset);
                return offset;
            }

            if (!RecordWord.HasValidLength(word, control.SegmentBytes - offset))
            {
                throw CorruptedRecord(file.Path, segmentPosition + offset, word);
            }

            offset += RecordWord.Bytes(word);
        }

        return offset;
    }

    /// <summary>Makes sure that a word, neither committed nor padding, is one that a producer leaves: free, or a possible reservation.</summary>
    public static void RequireUnfinished(string path, long position, ulong word, long remaining)
    {
        var isFine = word == RecordWord.Free || (RecordWord.State(word) == RecordWord.Reserved && RecordWord.HasValidLength(word, remaining));
        if (!isFine)
        {
            throw CorruptedRecord(path, position, word);
        }
    }

    public static QueueCorruptedException CorruptedRecord(string path, long position, ulong word) =>
        new(path, position, $"the record's state word 0x{word.ToString("X16", CultureInfo.InvariantCulture)} is impossible");

    private string PathOf(long segment) => System.IO.Path.Combine(
        control.Directory,
        (segment * control.SegmentBytes).ToString("D20", CultureInfo.InvariantCulture) + Extension);
}
