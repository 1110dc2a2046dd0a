using System.Buffers;
using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class PooledStreamMessageTests
{
    private static readonly Person First = new() { Name = "Foobar", Age = 30 };
    private static readonly Person Second = new() { Name = new string('x', 100_000), Age = 31 };

    private readonly BufferPool _pool = new();

    [Fact]
    public void Messages_are_written_in_place_and_read_in_place()
    {
        using var stream = _pool.GetStream();
        Assert.Equal(First.CalculateSize(), First.WriteTo(stream));
        Second.WriteTo(stream);
        First.WriteTo(stream);
        var rented = _pool.GetStatistics().Rented;
        stream.Position = 0;
        Assert.Equal(30, stream.ReadMessage<PersonBufferedMessage>().Message.Age);
        Assert.Equal(31, stream.ReadMessage<PersonBufferedMessage>().Message.Age);
        Assert.Equal(30, stream.ReadMessage<PersonBufferedMessage>().Message.Age);
        Assert.Equal(stream.Length, stream.Position);
        Assert.Equal(rented, _pool.GetStatistics().Rented);
    }

    [Fact]
    public void A_message_in_several_blocks_is_made_contiguous()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[1_020]);
        foreach (var value in Second.ToMessageArray())
        {
            stream.WriteByte(value);
        }

        stream.Position = 1_020;
        Assert.True(stream.ReadMessage<PersonBufferedMessage>().Message.Name == Second.Name);
        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(31)]
    public void A_stream_that_ends_before_the_message_is_malformed(int bytes)
    {
        using var stream = _pool.GetStream(First.ToMessageArray().AsSpan(0, bytes));
        Assert.Throws<MalformedMessageException>(() => stream.ReadMessage<PersonBufferedMessage>());
        Assert.Equal(0, stream.Position);
    }

    [Fact]
    public void A_position_after_the_end_has_no_message()
    {
        using var stream = _pool.GetStream();
        stream.Position = 100;
        Assert.Throws<MalformedMessageException>(() => stream.ReadMessage<PersonBufferedMessage>());
    }

    [Fact]
    public void A_message_is_taken_out_of_a_stream()
    {
        using var stream = _pool.GetStream();
        Second.WriteTo(stream);
        var rented = _pool.GetStatistics().Rented;
        using var message = stream.DetachMessage<PersonBufferedMessage>();
        Assert.True(message.Message.Name == Second.Name);
        Assert.Equal((0, rented), (stream.Length, _pool.GetStatistics().Rented));
    }

    [Fact]
    public void Bytes_that_are_not_a_message_stay_in_the_stream()
    {
        using var stream = _pool.GetStream("this is not a message, but long"u8);
        Assert.Throws<MalformedMessageException>(() => stream.DetachMessage<PersonBufferedMessage>());
        Assert.Equal(31, stream.Length);
    }

    [Fact]
    public void A_message_in_a_sequence_is_copied_once()
    {
        using var stream = _pool.GetStream();
        stream.Write(Second.ToMessageArray());
        stream.Write("behind"u8);
        var pool = new BufferPool();
        using var message = BufferedMessage.Load<PersonBufferedMessage>(stream.GetReadOnlySequence(), pool);
        Assert.Equal(Second.ToMessageArray(), message.Bytes.ToArray());
        Assert.Equal(1, pool.GetStatistics().Rented);
    }

    [Fact]
    public void A_sequence_that_ends_before_the_message_is_malformed()
    {
        var bytes = First.ToMessageArray();
        for (var length = 0; length < bytes.Length; length++)
        {
            var sequence = new ReadOnlySequence<byte>(bytes, 0, length);
            Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(sequence));
        }
    }

    [Fact]
    public void A_sequence_with_a_bad_header_is_malformed_and_its_buffer_goes_back()
    {
        var bytes = First.ToMessageArray();
        bytes[2] = 9;
        var pool = new BufferPool();
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(new ReadOnlySequence<byte>(bytes), pool));
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Bytes_of_a_disposed_message_throw()
    {
        using var stream = _pool.GetStream();
        First.WriteTo(stream);
        var message = stream.DetachMessage<PersonBufferedMessage>();
        var bytes = message.Bytes;
        message.Dispose();
        Assert.Throws<ObjectDisposedException>(() => bytes.Span.Length);
    }
}
