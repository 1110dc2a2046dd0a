using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>A message that was read in place gives nothing once the stream may have other bytes in its place.</summary>
public sealed class StreamMessageTests : IDisposable
{
    private readonly PooledStream _stream = new BufferPool().GetStream();

    public StreamMessageTests()
    {
        new Person { Name = "Foobar", Age = 30 }.WriteTo(_stream);
        new Person { Name = "Barfoo", Age = 31 }.WriteTo(_stream);
        _stream.Position = 0;
    }

    public static TheoryData<string, Action<PooledStream>> Changes { get; } = new()
    {
        { "Write", stream => stream.Write([1]) },
        { "Write array", stream => stream.Write([1], 0, 1) },
        { "Write across blocks", stream => stream.Write(new byte[100_000]) },
        { "Write far behind the end", stream => { stream.Position = 10_000; stream.Write([1]); } },
        { "WriteByte", stream => stream.WriteByte(1) },
        { "WriteAsync", stream => stream.WriteAsync(new byte[1], 0, 1).GetAwaiter().GetResult() },
        { "WriteTo of a message", stream => new Person().WriteTo(stream) },
        { "Advance", stream => { stream.GetSpan(1); stream.Advance(1); } },
        { "Advance at the end", stream => { stream.Seek(0, SeekOrigin.End); stream.GetSpan(1); stream.Advance(1); } },
        { "GetSpan that moves a block", stream => { stream.Seek(0, SeekOrigin.End); stream.GetSpan(100_000); } },
        { "SetLength that cuts", stream => stream.SetLength(1) },
        { "SetLength that extends", stream => stream.SetLength(1_000) },
        { "DetachMemory", stream => stream.DetachMemory() },
        { "DetachSequence", stream => stream.DetachSequence() },
        { "DetachMessage", stream => stream.DetachMessage<PersonBufferedMessage>() },
    };

    public static TheoryData<string, Action<PooledStream>> Looks { get; } = new()
    {
        { "Read", stream => _ = stream.Read(new byte[10]) },
        { "ReadByte", stream => stream.ReadByte() },
        { "ReadMessage", stream => stream.ReadMessage<PersonBufferedMessage>() },
        { "Position", stream => stream.Position = 3 },
        { "Seek", stream => stream.Seek(0, SeekOrigin.End) },
        { "CopyTo", stream => stream.CopyTo(Stream.Null) },
        { "ToArray", stream => stream.ToArray() },
        { "GetContiguousMemory of one block", stream => stream.GetContiguousMemory() },
        { "GetReadOnlySequence", stream => stream.GetReadOnlySequence() },
        { "Capacity that grows", stream => stream.Capacity = 100_000 },
    };

    public void Dispose() => _stream.Dispose();

    [Theory]
    [MemberData(nameof(Changes))]
    public void It_gives_nothing_after_the_content_was_changed_or_moved(string change, Action<PooledStream> apply)
    {
        var message = _stream.ReadMessage<PersonBufferedMessage>();
        apply(_stream);

        Assert.True(Record.Exception(() => { _ = message.Message; }) is InvalidOperationException and not ObjectDisposedException, change);
        Assert.Throws<InvalidOperationException>(() => message.Bytes.Length);
    }

    [Theory]
    [MemberData(nameof(Looks))]
    public void It_stays_while_the_stream_is_only_looked_at(string look, Action<PooledStream> apply)
    {
        var message = _stream.ReadMessage<PersonBufferedMessage>();
        apply(_stream);

        Assert.True(message.Message.Age == 30, look);
    }

    [Fact]
    public void It_gives_nothing_after_several_blocks_became_one()
    {
        _stream.Seek(0, SeekOrigin.End);
        _stream.Write(new byte[100_000]);
        _stream.Position = 0;
        var message = _stream.ReadMessage<PersonBufferedMessage>();
        _stream.GetContiguousMemory();

        Assert.Throws<InvalidOperationException>(() => message.Message.Age);
    }

    [Fact]
    public void It_gives_nothing_after_the_stream_was_disposed()
    {
        var message = _stream.ReadMessage<PersonBufferedMessage>();
        _stream.Dispose();

        Assert.Throws<ObjectDisposedException>(() => message.Message.Age);
        Assert.Throws<ObjectDisposedException>(() => message.Bytes.Length);
    }

    [Fact]
    public void It_gives_nothing_after_a_handler_threw_while_the_stream_was_disposed()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 0 });
        pool.BufferDropped += static (_, _) => throw new InvalidOperationException("A handler must not throw, but this one does.");
        var stream = pool.GetStream();
        new Person { Name = "Foobar", Age = 30 }.WriteTo(stream);
        stream.Position = 0;
        var message = stream.ReadMessage<PersonBufferedMessage>();
        Assert.Throws<InvalidOperationException>(stream.Dispose);

        Assert.Throws<ObjectDisposedException>(() => message.Bytes.Length);
    }

    [Fact]
    public void The_default_value_gives_nothing()
    {
        var message = default(StreamMessage<PersonBufferedMessage>);

        Assert.Throws<ObjectDisposedException>(() => message.Message.Age);
        Assert.Throws<ObjectDisposedException>(() => message.Bytes.Length);
    }

    [Fact]
    public void Several_messages_can_be_held()
    {
        var first = _stream.ReadMessage<PersonBufferedMessage>();
        var second = _stream.ReadMessage<PersonBufferedMessage>();

        Assert.Equal((30, 31), (first.Message.Age, second.Message.Age));
        Assert.True(second.Bytes.SequenceEqual(new Person { Name = "Barfoo", Age = 31 }.ToMessageArray()));
    }

    [Fact]
    public async Task It_is_carried_over_an_await()
    {
        var message = _stream.ReadMessage<PersonBufferedMessage>();
        await Task.Yield();

        Assert.Equal(30, message.Message.Age);
    }

    [Fact]
    public void A_message_stays_stale_however_often_the_stream_is_written_and_read()
    {
        var stale = _stream.ReadMessage<PersonBufferedMessage>();
        var person = new Person { Name = "another", Age = 32 };
        for (var rewrites = 1; rewrites <= 2 * (ushort.MaxValue + 1); rewrites++)
        {
            _stream.SetLength(0);
            person.WriteTo(_stream);
            _stream.Position = 0;
            Assert.Equal(32, _stream.ReadMessage<PersonBufferedMessage>().Message.Age);
            if (rewrites % 4_096 == 0)
            {
                Assert.Throws<InvalidOperationException>(() => stale.Message.Age);
            }
        }
    }
}
