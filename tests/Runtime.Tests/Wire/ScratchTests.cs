using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Messages that are written in memory of the thread, without calculating their size.</summary>
public partial class ScratchTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    [InlineData(1_000)]
    [InlineData(20_000)]
    public void It_grows_under_every_kind_of_payload(int count)
    {
        var texts = Enumerable.Range(0, count).Select(static i => $"text number {i}, ä").ToArray();
        Folder[] sources =
        [
            new() { Texts = texts },
            new() { Values = [.. Enumerable.Range(0, 10 * count)] },
            new() { Bytes = new byte[17 * count] },
            new() { Children = [.. texts.Select(static text => new Folder { Name = text })] },
            new() { ByName = texts.ToDictionary(static text => text, static text => new Folder { Name = text }, StringComparer.Ordinal) },
            new() { Name = new string('ü', 100 * count) },
            new() { Nullables = [.. Enumerable.Range(0, 10 * count).Select(static i => i % 2 == 0 ? i : (int?)null)] },
        ];

        Assert.All(sources, static source =>
        {
            var expected = new byte[source.CalculateSize()];
            Assert.Equal(expected.Length, source.Write(expected));
            Assert.Equal(expected, source.ToMessageArray());

            var writer = new ArrayBufferWriter<byte>();
            Assert.Equal(expected.Length, source.WriteTo(writer));
            Assert.Equal(expected, writer.WrittenSpan.ToArray());
        });
    }

    [Fact]
    public void A_property_may_write_another_message()
    {
        var inner = new Folder { Name = "inner", Bytes = new byte[200_000] };
        var outer = new Envelope { Title = "title", Content = inner, Remark = "remark" };

        var message = new EnvelopeBufferedMessage(outer.ToMessageArray());

        Assert.Equal("title", message.Title.ToString());
        Assert.Equal(inner.ToMessageArray(), message.Packed.ToArray());
        Assert.Equal("remark", message.Remark.ToString());
    }

    [Fact]
    public void It_is_usable_after_a_failure()
    {
        var broken = new Folder { Bytes = new byte[100_000], Texts = ["\uD800 has no partner"] };
        var folder = new Folder { Name = "whole" };

        Assert.Throws<ArgumentException>(broken.ToMessageArray);

        Assert.Equal("whole", new FolderBufferedMessage(folder.ToMessageArray()).Name.ToString());
    }

    [Fact]
    public void A_source_that_writes_by_itself_gets_as_many_bytes_as_it_asks_for()
    {
        var bytes = new ByItself(new Folder { Bytes = new byte[300_000] }).ToMessageArray();

        Assert.Equal(300_000, new FolderBufferedMessage(bytes).Bytes.Length);
    }

    [Fact]
    public void Memory_that_is_too_small_goes_back_to_its_pool()
    {
        MessageScratch.Begin(typeof(Folder)).End(100_000);
        var scratch = MessageScratch.Begin(typeof(Folder));
        ref var small = ref MemoryMarshal.GetReference(scratch.Memory);
        Assert.True(scratch.TryReserve(1_000_000));

        var next = ArrayPool<byte>.Shared.Rent(100_000);
        var isBack = Unsafe.AreSame(ref small, ref MemoryMarshal.GetArrayDataReference(next));
        ArrayPool<byte>.Shared.Return(next);
        scratch.End(0);
        Assert.True(isBack);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(300_000)]
    public void A_source_may_write_itself_by_a_builder(int length)
    {
        var text = new string('x', length);

        var message = new LabelBufferedMessage(new ByBuilder(text).ToMessageArray());

        Assert.Equal(text, message.Text.ToString());
        Assert.Equal(text, message.Remark.ToString());
        Assert.Equal(7, message.Number);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(300_000)]
    public void A_source_may_write_another_one_in_its_place_and_change_it_there(int length)
    {
        var source = new ByAnother(new Label { Text = new string('x', length) });

        Assert.Equal(7, new LabelBufferedMessage(source.ToMessageArray()).Number);
        Assert.Equal(7, new LabelBufferedMessage(source.ToMessageArray()).Number);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(300_000)]
    public void A_source_may_write_its_base_and_change_it_there(int length)
    {
        var source = new ByBase { Text = new string('x', length) };

        Assert.Equal(7, new SheetBufferedMessage(source.ToMessageArray()).Number);
        Assert.Equal(7, new SheetBufferedMessage(source.ToMessageArray()).Number);
    }

    [Fact]
    public void Nothing_is_allocated_after_the_first_message()
    {
        var folder = new Folder { Name = "a name", Texts = ["a text", "another text"], ByName = new() { ["one"] = new Folder { Name = "one" } } };
        var writer = new ArrayBufferWriter<byte>(10_000);
        folder.WriteTo(writer);

        Allocations.AssertNone(() =>
        {
            writer.ResetWrittenCount();
            folder.WriteTo(writer);
        });
    }

    [BufferedMessageSource]
    public sealed partial class Folder
    {
        public string? Name { get; set; }

        public string[]? Texts { get; set; }

        public int[]? Values { get; set; }

        public int?[]? Nullables { get; set; }

        public byte[]? Bytes { get; set; }

        public List<Folder>? Children { get; set; }

        public Dictionary<string, Folder>? ByName { get; set; }
    }

    [BufferedMessageSource(GenerateWriter = true)]
    public sealed partial class Label
    {
        public string? Text { get; set; }

        public string? Remark { get; set; }

        public int Number { get; set; }
    }

    [BufferedMessageSource(GenerateWriter = true)]
    public partial class Sheet
    {
        public string? Text { get; set; }

        public int Number { get; set; }
    }

    [BufferedMessageSource]
    public sealed partial class Envelope
    {
        [BufferedMember(0)]
        public string? Title { get; set; }

        [BufferedMember(1)]
        public byte[]? Packed => Content?.ToMessageArray();

        [BufferedMember(2)]
        public string? Remark { get; set; }

        [BufferedIgnore]
        public Folder? Content { get; set; }
    }

    // Knows its size only from CalculateSize, as a method that a user wrote.
    private sealed class ByItself(Folder folder) : IBufferedMessageSource<ByItself>
    {
        public static MessageSchema Schema => Folder.BufferedBlock.Schema;

        public int CalculateSize() => folder.CalculateSize();

        public int Write(Span<byte> destination)
        {
            if (destination.Length < folder.CalculateSize())
            {
                throw new ArgumentException("Too small.", nameof(destination));
            }

            return folder.Write(destination[..folder.CalculateSize()]);
        }
    }

    private sealed class ByBuilder(string text) : IBufferedMessageSource<ByBuilder>
    {
        public static MessageSchema Schema => Label.BufferedBlock.Schema;

        public int CalculateSize() => new Label { Text = text, Remark = text }.CalculateSize();

        public int Write(Span<byte> destination)
        {
            using var builder = new MessageBuilder<LabelBufferedMessageWriter>(destination);
            var label = builder.Message;
            label.WriteText(text);
            label.WriteRemark(text);
            label.Number = 7;
            return builder.Finish();
        }
    }

    private sealed class ByAnother(Label label) : IBufferedMessageSource<ByAnother>
    {
        public static MessageSchema Schema => Label.BufferedBlock.Schema;

        public int CalculateSize() => label.CalculateSize();

        public int Write(Span<byte> destination)
        {
            var bytes = label.Write(destination);
            var writer = BufferedMessage.Edit<LabelBufferedMessageWriter>(destination[..bytes]);
            writer.Number = 7;
            return bytes;
        }
    }

    private sealed class ByBase : Sheet, IBufferedMessageSource<ByBase>
    {
        public static MessageSchema Schema => BufferedBlock.Schema;

        public new int Write(Span<byte> destination)
        {
            var bytes = base.Write(destination);
            var writer = BufferedMessage.Edit<SheetBufferedMessageWriter>(destination[..bytes]);
            writer.Number = 7;
            return bytes;
        }
    }
}
