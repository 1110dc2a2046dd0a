using System.Buffers;
using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class WriteToTests
{
    private static readonly Person Short = new() { Name = "Foobar", Age = 30 };
    private static readonly Person Long = new() { Name = new string('x', 10_000), Age = 31 };

    [Fact]
    public void A_buffer_writer_is_advanced_by_each_message()
    {
        var writer = new ArrayBufferWriter<byte>();
        Assert.Equal(32, Short.WriteTo(writer));
        var second = Long.WriteTo(writer);
        Assert.Equal(32 + second, writer.WrittenCount);
        Assert.Equal(30, new PersonBufferedMessage(writer.WrittenSpan).Age);
        Assert.Equal(31, new PersonBufferedMessage(writer.WrittenSpan[32..]).Age);
    }

    [Fact]
    public async Task A_stream_gets_the_message()
    {
        using var stream = new MemoryStream();
        Short.WriteTo(stream);
        await Short.WriteToAsync(stream);
        var expected = Short.ToMessageArray();
        Assert.Equal([.. expected, .. expected], stream.ToArray());
    }

    [Fact]
    public void A_file_is_truncated_when_a_shorter_message_replaces_a_longer_one()
    {
        using var file = new TemporaryFile();
        Long.WriteTo(file.Path);
        Short.WriteTo(file.Path);
        Assert.Equal(Short.ToMessageArray(), File.ReadAllBytes(file.Path));
    }

    [Fact]
    public async Task A_file_is_truncated_when_a_shorter_message_replaces_a_longer_one_asynchronously()
    {
        using var file = new TemporaryFile();
        await Long.WriteToAsync(file.Path);
        await Short.WriteToAsync(file.Path);
        Assert.Equal(Short.ToMessageArray(), await File.ReadAllBytesAsync(file.Path));
    }

    [Fact]
    public void A_source_that_cannot_be_written_leaves_the_file_alone()
    {
        using var file = new TemporaryFile();
        Short.WriteTo(file.Path);
        Assert.Throws<ArgumentException>(() => new Person { Name = "\uD800" }.WriteTo(file.Path));
        Assert.Equal(Short.ToMessageArray(), File.ReadAllBytes(file.Path));
    }

    [Fact]
    public async Task A_missing_source_is_refused()
    {
        using var file = new TemporaryFile();
        Person source = null!;
        Assert.Throws<ArgumentNullException>(() => source.ToMessageArray());
        Assert.Throws<ArgumentNullException>(() => source.WriteTo(new ArrayBufferWriter<byte>()));
        Assert.Throws<ArgumentNullException>(() => source.WriteTo(Stream.Null));
        Assert.Throws<ArgumentNullException>(() => source.WriteTo(file.Path));
        Assert.Throws<ArgumentNullException>(() => PersonBufferedMessage.CreatePooled(source));
        await Assert.ThrowsAsync<ArgumentNullException>(() => source.WriteToAsync(Stream.Null));
        await Assert.ThrowsAsync<ArgumentNullException>(() => source.WriteToAsync(file.Path));
    }

    [Fact]
    public void Missing_destinations_are_refused()
    {
        Assert.Throws<ArgumentNullException>(() => Short.WriteTo((IBufferWriter<byte>)null!));
        Assert.Throws<ArgumentNullException>(() => Short.WriteTo((Stream)null!));
    }
}
