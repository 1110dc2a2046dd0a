using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A damage of a queue. The runtime's tests require participants to refuse each, and those of the tool that verify names it and repair keeps the sound messages.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsLong">Whether the queue has two segments of numbers, and not two messages.</param>
/// <param name="Make">Makes it.</param>
/// <param name="File">The file that is to be named.</param>
/// <param name="Position">The position that is to be named.</param>
/// <param name="Rule">A part of the rule that is to be named.</param>
/// <param name="IsSound">Tells the messages that stay readable, of two segments by their numbers, of two messages 0 and 1.</param>
internal sealed record DamageCase(string Name, bool IsLong, Action<QueueDirectory> Make, Func<QueueDirectory, string> File, long Position, string Rule, Func<int, bool> IsSound)
{
    public const int Numbers = QueueDirectory.NumbersInSegment + 10;

    private const long SecondRecord = QueueDirectory.FirstRecord + 48;
    private const long Segment = QueueDirectory.SmallSegment;
    private const long Cursor = 4096 + (256 * 384) + 128;

    private static readonly (string Word, string Rule)[] Words =
    [
        ("0A00000000000000", "impossible"), ("0A00000031000000", "impossible"), ("0A00000000000100", "impossible"), ("0A000000F0FFFFFF", "impossible"),
        ("0B00000000000000", "impossible"), ("0B00000000001000", "impossible"), ("0900000000000000", "impossible"), ("0800000030000000", "impossible"),
        ("0C00000030000000", "impossible"), ("0F00000030000000", "impossible"), ("0A0000003000000021000000", "claims a payload of 33"), ("0A00000030000000FFFFFFFF", "claims a payload of"),
    ];

    /// <summary>Gives the cases of a kind of queue.</summary>
    public static IEnumerable<DamageCase> Of(QueueMode mode)
    {
        foreach (var (word, rule) in Words)
        {
            yield return OfSecond($"the record word {word}", queue => QueueDirectory.Damage(queue.SegmentFile(0), SecondRecord, Convert.FromHexString(word)), rule);
        }

        foreach (var offset in new[] { 0, 4, 16, 20, 24, 40, 48, 56, 100, 124 })
        {
            yield return OfSegment($"the header byte {offset}", 0, queue => Flip(queue, 0, offset), "the header of the segment is damaged", static _ => true);
            yield return OfSegment($"the second header's byte {offset}", Segment, queue => Flip(queue, 1, offset), "the header of the segment is damaged", static _ => true);
        }

        foreach (var position in new[] { -16L, 8, 1L << 40 })
        {
            yield return new DamageCase(
                $"a cursor at {position}", IsLong: true, queue =>
                {
                    using (var opened = queue.Open())
                    {
                        opened.OpenConsumer<RawMessage>("risk").Dispose();
                    }

                    QueueDirectory.Damage(queue.ControlFile, Cursor, BitConverter.GetBytes(position));
                }, static queue => queue.ControlFile, Cursor, $"the cursor of 'risk' is {position}", static _ => true);
        }

        foreach (var @case in mode == QueueMode.Durable ? OfFiles() : OfRings())
        {
            yield return @case;
        }
    }

    /// <summary>Fills a queue with what the case needs.</summary>
    public void Fill(QueueDirectory directory)
    {
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        if (IsLong)
        {
            Payload.PublishNumbers(producer, 0, Numbers);
        }
        else
        {
            producer.Publish(Payload.Of(1, 32));
            producer.Publish(Payload.Of(2, 32));
        }
    }

    /// <summary>Gives the payloads that stay readable.</summary>
    public IEnumerable<byte[]> Sound() => IsLong
        ? Enumerable.Range(0, Numbers).Where(IsSound).Select(static number => Payload.Of(number))
        : new[] { Payload.Of(1, 32), Payload.Of(2, 32) }.Where((_, index) => IsSound(index));

    public override string ToString() => Name;

    private static IEnumerable<DamageCase> OfFiles()
    {
        yield return OfSegment("a missing segment", 0, static queue => System.IO.File.Delete(queue.SegmentFile(0)), "the segment is missing or empty", static number => number >= QueueDirectory.NumbersInSegment);
        yield return OfSegment("an empty segment", 0, static queue => Cut(queue.SegmentFile(0), 0), "the segment is missing or empty", static number => number >= QueueDirectory.NumbersInSegment);
        yield return OfSegment(
            "a segment that was cut off", 0, static queue => Cut(queue.SegmentFile(0), 4096), "the segment has 4096 bytes instead of 65536", static number => number is < (4096 - 128) / 32 or >= QueueDirectory.NumbersInSegment);
        yield return OfSegment("a last segment that was cut off", Segment, static queue => Cut(queue.SegmentFile(Segment), 160), "the segment has 160 bytes", static number => number <= QueueDirectory.NumbersInSegment);
    }

    private static IEnumerable<DamageCase> OfRings()
    {
        yield return OfSecond("zeros in place of a record", static queue => QueueDirectory.Damage(queue.SegmentFile(0), SecondRecord, new byte[8]), "impossible");
        yield return OfSegment("a missing ring", 0, static queue => System.IO.File.Delete(queue.SegmentFile(0)), "the ring is missing or empty", static _ => false);
        yield return OfSegment("a ring that was cut off", 0, static queue => Cut(queue.SegmentFile(0), 4096), "the ring has 4096 bytes instead of", static number => number < (4096 - 128) / 32);
    }

    private static DamageCase OfSecond(string name, Action<QueueDirectory> make, string rule) =>
        new(name, IsLong: false, make, static queue => queue.SegmentFile(0), SecondRecord, rule, static index => index == 0);

    private static DamageCase OfSegment(string name, long position, Action<QueueDirectory> make, string rule, Func<int, bool> isSound) =>
        new(name, IsLong: true, make, queue => queue.SegmentFile(position), position, rule, isSound);

    private static void Flip(QueueDirectory queue, int segment, int offset)
    {
        var (file, start) = QueueFormat.Place(queue, segment);
        QueueDirectory.Damage(file, start + offset, (byte)(QueueFormat.ReadSegment(queue, segment)[offset] ^ 0xFF));
    }

    private static void Cut(string file, long bytes)
    {
        using var stream = new FileStream(file, FileMode.Open);
        stream.SetLength(bytes);
    }
}
