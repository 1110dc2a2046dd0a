using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>The structs of the files, at the offsets of docs/format/caches.md, and those of the changes that processes send to the owner, which programs of other versions read.</summary>
public class LayoutTests
{
    [Theory]
    [InlineData(nameof(ControlHeader.Magic), 0)]
    [InlineData(nameof(ControlHeader.Version), 8)]
    [InlineData(nameof(ControlHeader.KeyKind), 12)]
    [InlineData(nameof(ControlHeader.SegmentBytes), 16)]
    [InlineData(nameof(ControlHeader.Slots), 24)]
    [InlineData(nameof(ControlHeader.GeometryCheck), 28)]
    [InlineData(nameof(ControlHeader.RequiredFeatures), 32)]
    [InlineData(nameof(ControlHeader.OptionalFeatures), 36)]
    [InlineData(nameof(ControlHeader.Boot), 64)]
    [InlineData(nameof(ControlHeader.WriterStart), 80)]
    [InlineData(nameof(ControlHeader.WriterProcess), 88)]
    [InlineData(nameof(ControlHeader.QueueFailure), 92)]
    [InlineData(nameof(ControlHeader.IndexGeneration), 128)]
    [InlineData(nameof(ControlHeader.ClearedSequence), 136)]
    [InlineData(nameof(ControlHeader.ActiveSlot), 144)]
    [InlineData(nameof(ControlHeader.CarrySlot), 148)]
    [InlineData(nameof(ControlHeader.Sequence), 192)]
    public void The_header_of_the_control_file_is_laid_out_as_documented(string field, int offset) => Assert.Equal(offset, Offset<ControlHeader>(field));

    [Theory]
    [InlineData(nameof(SlotState.State), 0)]
    [InlineData(nameof(SlotState.File), 4)]
    [InlineData(nameof(SlotState.OpenSequence), 8)]
    [InlineData(nameof(SlotState.Counts), 16)]
    [InlineData(nameof(SlotState.EndUnits), 24)]
    [InlineData(nameof(SlotState.Flags), 28)]
    public void A_slot_is_laid_out_as_documented(string field, int offset) => Assert.Equal(offset, Offset<SlotState>(field));

    [Theory]
    [InlineData("_magic", 0)]
    [InlineData("_slot", 8)]
    [InlineData("_check", 12)]
    [InlineData("_openSequence", 16)]
    [InlineData("_requiredFeatures", 24)]
    [InlineData("_optionalFeatures", 28)]
    public void A_segment_header_is_laid_out_as_documented(string field, int offset) => Assert.Equal(offset, Offset<SegmentHeader>(field));

    [Theory]
    [InlineData(nameof(ChangeHead.Answers), 0)]
    [InlineData(nameof(ChangeHead.ContentFile), 16)]
    [InlineData(nameof(ChangeHead.Number), 32)]
    [InlineData(nameof(ChangeHead.Kind), 40)]
    [InlineData(nameof(ChangeHead.KeyBytes), 44)]
    [InlineData(nameof(ChangeHead.ValueBytes), 48)]
    [InlineData(nameof(ChangeHead.ProlongsOnly), 52)]
    [InlineData(nameof(ChangeHead.Schema), 56)]
    [InlineData(nameof(ChangeHead.First), 64)]
    [InlineData(nameof(ChangeHead.Latest), 72)]
    [InlineData(nameof(ChangeHead.Window), 80)]
    [InlineData(nameof(ChangeHead.KeyCheck), 88)]
    [InlineData(nameof(ChangeHead.ValueCheck), 96)]
    [InlineData(nameof(ChangeHead.TagBytes), 104)]
    [InlineData(nameof(ChangeHead.TagGroup), 108)]
    public void The_head_of_a_change_is_laid_out_as_ever(string field, int offset) => Assert.Equal(offset, Offset<ChangeHead>(field));

    [Theory]
    [InlineData(nameof(ChangeAnswer.Number), 0)]
    [InlineData(nameof(ChangeAnswer.Outcome), 8)]
    [InlineData(nameof(ChangeAnswer.Code), 12)]
    [InlineData(nameof(ChangeAnswer.Asked), 16)]
    [InlineData(nameof(ChangeAnswer.Limit), 24)]
    [InlineData("_check", 32)]
    public void An_answer_is_laid_out_as_ever(string field, int offset) => Assert.Equal(offset, Offset<ChangeAnswer>(field));

    [Fact]
    public void The_note_of_the_owner_is_laid_out_as_documented()
    {
        var queue = Guid.NewGuid();
        var note = new OwnerNote(2, 0x10, queue);
        var bytes = note.ToBytes();

        Assert.Equal(40, bytes.Length);
        Assert.Equal(2, BitConverter.ToInt32(bytes, 0));
        Assert.Equal(0x10u, BitConverter.ToUInt32(bytes, 4));
        Assert.Equal(0ul, BitConverter.ToUInt64(bytes, 8));
        Assert.Equal(queue, new Guid(bytes.AsSpan(16, 16)));
        Assert.Equal(XxHash64.Hash(bytes.AsSpan(0, 32)), BitConverter.ToUInt64(bytes, 32));
        Assert.Equal(note, OwnerNote.Read(bytes));
        Assert.Equal(default(OwnerNote), OwnerNote.Read(bytes.AsSpan(0, 39)));
        bytes[0] = 1;
        Assert.Equal(default(OwnerNote), OwnerNote.Read(bytes));
        Assert.Equal(default(OwnerNote), OwnerNote.Read([]));
    }

    [Fact]
    public void The_structs_have_their_sizes()
    {
        Assert.Equal(4096, Unsafe.SizeOf<ControlHeader>());
        Assert.Equal(32, Unsafe.SizeOf<SlotState>());
        Assert.Equal(64, Unsafe.SizeOf<SegmentHeader>());
        Assert.Equal(ChangeHead.Bytes, Unsafe.SizeOf<ChangeHead>());
        Assert.Equal(40, Unsafe.SizeOf<ChangeAnswer>());
    }

    private static int Offset<T>(string field) => (int)Marshal.OffsetOf<T>(field);
}
