using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class ControlLayoutTests
{
    private const int HotDistance = 128;

    [Theory]
    [InlineData(nameof(ControlHeader.Magic), 0)]
    [InlineData(nameof(ControlHeader.Version), 4)]
    [InlineData(nameof(ControlHeader.Mode), 8)]
    [InlineData(nameof(ControlHeader.ProducersMode), 12)]
    [InlineData(nameof(ControlHeader.SegmentBytes), 16)]
    [InlineData(nameof(ControlHeader.SlotCount), 24)]
    [InlineData(nameof(ControlHeader.RequiredFeatures), 28)]
    [InlineData(nameof(ControlHeader.Salt), 32)]
    [InlineData(nameof(ControlHeader.CreationTicks), 40)]
    [InlineData(nameof(ControlHeader.ControlBytes), 48)]
    [InlineData(nameof(ControlHeader.ParticipantSlots), 56)]
    [InlineData(nameof(ControlHeader.CursorRecords), 60)]
    [InlineData(nameof(ControlHeader.ContentKind), 64)]
    [InlineData(nameof(ControlHeader.SchemaTextBytes), 68)]
    [InlineData(nameof(ControlHeader.SchemaFingerprint), 72)]
    [InlineData(nameof(ControlHeader.FlushMode), 80)]
    [InlineData(nameof(ControlHeader.FlushMessages), 84)]
    [InlineData(nameof(ControlHeader.FlushIntervalTicks), 88)]
    [InlineData(nameof(ControlHeader.LastRetention), 96)]
    [InlineData(nameof(ControlHeader.ProducerSlot), 128)]
    [InlineData(nameof(ControlHeader.UsedSlots), 132)]
    [InlineData(nameof(ControlHeader.TailHint), 256)]
    [InlineData(nameof(ControlHeader.OpenSegments), 384)]
    [InlineData(nameof(ControlHeader.Waiters), 512)]
    [InlineData(nameof(ControlHeader.WakeSequence), 640)]
    [InlineData(nameof(ControlHeader.SpaceWaiters), 768)]
    [InlineData(nameof(ControlHeader.SpaceWakeSequence), 896)]
    [InlineData(nameof(ControlHeader.FirstSegment), 1024)]
    [InlineData(nameof(ControlHeader.DurablePosition), 1152)]
    [InlineData(nameof(ControlHeader.SpaceWaits), 1280)]
    [InlineData(nameof(ControlHeader.Wakes), 1288)]
    [InlineData(nameof(ControlHeader.FlushFailures), 1296)]
    [InlineData(nameof(ControlHeader.WokenAt), 1304)]
    [InlineData(nameof(ControlHeader.SpaceWokenAt), 1312)]
    [InlineData(nameof(ControlHeader.BootId), 1408)]
    [InlineData(nameof(ControlHeader.Epoch), 1536)]
    [InlineData(nameof(ControlHeader.Id), 1552)]
    [InlineData(nameof(ControlHeader.NextRetention), 1664)]
    [InlineData(nameof(ControlHeader.RetentionSteps), 1692)]
    [InlineData(nameof(ControlHeader.EpochStarts), 2048)]
    public void The_header_is_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<ControlHeader>(field));

    [Theory]
    [InlineData(nameof(RetentionWords.Bytes), 0)]
    [InlineData(nameof(RetentionWords.AgeTicks), 8)]
    [InlineData(nameof(RetentionWords.HardLimitBytes), 16)]
    [InlineData(nameof(RetentionWords.Flags), 24)]
    public void The_words_of_a_retention_are_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<RetentionWords>(field));

    [Theory]
    [InlineData(nameof(ParticipantSlot.Role), 0)]
    [InlineData(nameof(ParticipantSlot.ProcessId), 4)]
    [InlineData(nameof(ParticipantSlot.ProcessStartTicks), 8)]
    [InlineData(nameof(ParticipantSlot.Waiting), 16)]
    [InlineData(nameof(ParticipantSlot.Cursor), 20)]
    [InlineData(nameof(ParticipantSlot.LastClaim), 128)]
    [InlineData(nameof(ParticipantSlot.Messages), 136)]
    [InlineData(nameof(ParticipantSlot.PayloadBytes), 144)]
    [InlineData(nameof(ParticipantSlot.InFlight), 256)]
    public void A_participant_slot_is_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<ParticipantSlot>(field));

    [Theory]
    [InlineData(nameof(CursorRecord.Kind), 0)]
    [InlineData(nameof(CursorRecord.OwnerSlot), 4)]
    [InlineData(nameof(CursorRecord.NameBytes), 8)]
    [InlineData(nameof(CursorRecord.Name), 12)]
    [InlineData(nameof(CursorRecord.Position), 128)]
    [InlineData(nameof(CursorRecord.OwnerDied), 136)]
    [InlineData(nameof(CursorRecord.ReadPosition), 144)]
    [InlineData(nameof(CursorRecord.DonePosition), 152)]
    public void A_cursor_record_is_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<CursorRecord>(field));

    [Theory]
    [InlineData(nameof(SegmentHeader.Word), 0)]
    [InlineData(nameof(SegmentHeader.SizeAndChecksum), 8)]
    [InlineData(nameof(SegmentHeader.Magic), 16)]
    [InlineData(nameof(SegmentHeader.Version), 20)]
    [InlineData(nameof(SegmentHeader.HeaderBytes), 22)]
    [InlineData(nameof(SegmentHeader.RequiredFeatures), 24)]
    [InlineData(nameof(SegmentHeader.OptionalFeatures), 28)]
    [InlineData(nameof(SegmentHeader.QueueId), 32)]
    [InlineData(nameof(SegmentHeader.Number), 48)]
    [InlineData(nameof(SegmentHeader.FreeWord), 56)]
    [InlineData(nameof(SegmentHeader.SchemaFingerprint), 64)]
    [InlineData(nameof(SegmentHeader.ContentKind), 72)]
    [InlineData(nameof(SegmentHeader.OpenedTicks), 80)]
    [InlineData(nameof(SegmentHeader.Epoch), 88)]
    [InlineData(nameof(SegmentHeader.Check), 124)]
    public void A_segment_header_is_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<SegmentHeader>(field));

    [Theory]
    [InlineData(nameof(RingSlot.State), 0)]
    [InlineData(nameof(RingSlot.Lock), 64)]
    public void A_ring_slot_is_laid_out_as_drawn(string field, int offset) => Assert.Equal(offset, Offset<RingSlot>(field));

    [Fact]
    public void The_structs_have_their_drawn_sizes()
    {
        Assert.Equal(4096, Unsafe.SizeOf<ControlHeader>());
        Assert.Equal(28, Unsafe.SizeOf<RetentionWords>());
        Assert.Equal(128, Unsafe.SizeOf<SegmentHeader>());
        Assert.Equal(384, Unsafe.SizeOf<ParticipantSlot>());
        Assert.Equal(128, Unsafe.SizeOf<RingSlot>());
        Assert.Equal(256, Unsafe.SizeOf<CursorRecord>());
        Assert.Equal(116, Unsafe.SizeOf<CursorRecord.NameBuffer>());
    }

    [Fact]
    public void Words_that_are_written_while_the_queue_runs_do_not_share_cache_lines()
    {
        string[] hot =
        [
            nameof(ControlHeader.TailHint), nameof(ControlHeader.OpenSegments), nameof(ControlHeader.Waiters),
            nameof(ControlHeader.WakeSequence), nameof(ControlHeader.SpaceWaiters), nameof(ControlHeader.SpaceWakeSequence),
            nameof(ControlHeader.FirstSegment), nameof(ControlHeader.DurablePosition),
        ];
        var offsets = typeof(ControlHeader).GetFields().Where(field => !field.IsLiteral).ToDictionary(field => field.Name, field => Offset<ControlHeader>(field.Name), StringComparer.Ordinal);

        Assert.All(hot, name => Assert.DoesNotContain(offsets, other => other.Key != name && Math.Abs(other.Value - offsets[name]) < HotDistance && offsets[name] / HotDistance == other.Value / HotDistance));
    }

    private static int Offset<T>(string field) => (int)Marshal.OffsetOf<T>(field);
}
