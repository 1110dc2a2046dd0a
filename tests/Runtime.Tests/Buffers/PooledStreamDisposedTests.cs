using System.Buffers;
using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>What is used after it was disposed says so, and disturbs nobody.</summary>
public class PooledStreamDisposedTests
{
    private readonly BufferPool _pool = new();

    public static TheoryData<string, Action<PooledStream>> Members { get; } = new()
    {
        { "Length", stream => _ = stream.Length },
        { "Position", stream => _ = stream.Position },
        { "Position set", stream => stream.Position = 1 },
        { "Capacity", stream => _ = stream.Capacity },
        { "Capacity set", stream => stream.Capacity = 10 },
        { "Seek", stream => stream.Seek(0, SeekOrigin.Begin) },
        { "SetLength", stream => stream.SetLength(0) },
        { "Read", stream => _ = stream.Read(new byte[1]) },
        { "Read nothing", stream => _ = stream.Read([]) },
        { "Read array", stream => _ = stream.Read(new byte[1], 0, 1) },
        { "ReadByte", stream => stream.ReadByte() },
        { "ReadAsync", stream => stream.ReadAsync(new byte[1], 0, 1).GetAwaiter().GetResult() },
        { "Write", stream => stream.Write(new byte[1]) },
        { "Write nothing", stream => stream.Write([]) },
        { "Write array", stream => stream.Write(new byte[1], 0, 1) },
        { "WriteByte", stream => stream.WriteByte(1) },
        { "WriteAsync", stream => stream.WriteAsync(new byte[1], 0, 1).GetAwaiter().GetResult() },
        { "CopyTo", stream => stream.CopyTo(Stream.Null) },
        { "CopyToAsync", stream => stream.CopyToAsync(Stream.Null).GetAwaiter().GetResult() },
        { "WriteTo", stream => stream.WriteTo(Stream.Null) },
        { "ToArray", stream => stream.ToArray() },
        { "GetContiguousMemory", stream => stream.GetContiguousMemory() },
        { "GetReadOnlySequence", stream => stream.GetReadOnlySequence() },
        { "AsMemoryStream", stream => stream.AsMemoryStream() },
        { "GetSpan", stream => stream.GetSpan(1) },
        { "GetMemory", stream => stream.GetMemory(1) },
        { "Advance by 0", stream => stream.Advance(0) },
        { "Advance by 1", stream => stream.Advance(1) },
        { "ReadMessage", stream => stream.ReadMessage<PersonBufferedMessage>() },
        { "DetachMessage", stream => stream.DetachMessage<PersonBufferedMessage>() },
        { "DetachMemory", stream => stream.DetachMemory() },
        { "DetachSequence", stream => stream.DetachSequence() },
    };

    public static TheoryData<string, Action<PooledStream>> Releases { get; } = new()
    {
        { "GetContiguousMemory", stream => { stream.Write(new byte[100_000]); stream.GetContiguousMemory(); } },
        { "GetSpan that moves a block", stream => stream.GetSpan(100_000) },
        { "Capacity", stream => { stream.SetLength(0); stream.Capacity = 0; } },
        { "DetachMemory", stream => stream.DetachMemory().Dispose() },
        { "DetachSequence", stream => stream.DetachSequence().Dispose() },
    };

    [Theory]
    [MemberData(nameof(Members))]
    public void Every_member_throws(string member, Action<PooledStream> use)
    {
        var stream = _pool.GetStream("content"u8);
        stream.Dispose();
        var exception = Record.Exception(() => use(stream));
        Assert.True(exception is ObjectDisposedException, $"{member} gave {exception?.ToString() ?? "no exception"}");
    }

    [Fact]
    public void The_first_asynchronous_members_of_dotnet_throw_as_those_of_a_memory_stream()
    {
        foreach (var stream in new Stream[] { _pool.GetStream("content"u8), new MemoryStream() })
        {
            stream.Dispose();
            Assert.Throws<NotSupportedException>(() => stream.BeginRead(new byte[1], 0, 1, null, null));
            Assert.Throws<NotSupportedException>(() => stream.BeginWrite(new byte[1], 0, 1, null, null));
        }
    }

    [Fact]
    public void A_disposed_stream_can_do_nothing()
    {
        var stream = _pool.GetStream();
        Assert.True(stream.CanRead && stream.CanSeek && stream.CanWrite);
        stream.Dispose();
        Assert.False(stream.CanRead || stream.CanSeek || stream.CanWrite);
    }

    [Fact]
    public async Task Disposing_again_returns_nothing_again()
    {
        var stream = _pool.GetStream("content"u8);
        stream.Dispose();
        using var next = _pool.GetStream("another"u8);
        stream.Dispose();
        await stream.DisposeAsync();
        stream.Close();
        using var third = _pool.GetStream("a third"u8);
        Assert.Equal(("another", "a third"), (TextOf(next), TextOf(third)));
    }

    [Fact]
    public void Disposing_from_many_threads_returns_once()
    {
        // Two threads meet at each stream, so that they dispose it within the same nanoseconds.
        var streams = Enumerable.Range(0, 20_000).Select(_ => _pool.GetStream("content"u8)).ToList();
        var arrived = 0;
        var failures = 0;
        var threads = Enumerable.Range(0, 2).Select(_ => new Thread(DisposeAll)).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());

        var statistics = _pool.GetStatistics();
        Assert.Equal(0, failures);
        Assert.Equal(statistics.Rented, statistics.Returned);

        void DisposeAll()
        {
            var meetings = 0;
            foreach (var stream in streams)
            {
                Interlocked.Increment(ref arrived);
                meetings += 2;
                while (Volatile.Read(ref arrived) < meetings)
                {
                }

                if (Record.Exception(stream.Dispose) is not null)
                {
                    Interlocked.Increment(ref failures);
                }
            }
        }
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100_000)]
    public void Memory_and_sequences_throw_after_the_stream_is_disposed(int bytes)
    {
        var stream = _pool.GetStream();
        stream.Write(new byte[bytes]);
        var sequence = stream.GetReadOnlySequence();
        var memory = stream.GetMemory(1);
        stream.Dispose();
        using var next = _pool.GetStream("another's secret"u8);
        Assert.Throws<ObjectDisposedException>(() => sequence.ToArray());
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => memory.Pin());
    }

    [Fact]
    public void Contiguous_memory_and_its_memory_stream_throw_after_the_stream_is_disposed()
    {
        var stream = _pool.GetStream("content"u8);
        var memory = stream.GetContiguousMemory();
        using var view = stream.AsMemoryStream();
        Assert.Equal("content"u8, view.ToArray());
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => view.ToArray());
        Assert.Throws<ObjectDisposedException>(() => view.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => view.Read(new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => view.Read(new byte[1], 0, 1));
        Assert.Throws<ObjectDisposedException>(() => view.ReadAsync(new byte[1], 0, 1).GetAwaiter().GetResult());
        Assert.Throws<ObjectDisposedException>(() => view.CopyTo(Stream.Null));
        Assert.Throws<ObjectDisposedException>(() => view.WriteTo(Stream.Null));
        Assert.Throws<ObjectDisposedException>(() => view.GetBuffer());
        Assert.Throws<ObjectDisposedException>(() => view.TryGetBuffer(out _));
    }

    [Fact]
    public void A_sequence_throws_after_the_content_was_moved()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[1_000]);
        stream.Write(new byte[100_000]);
        var sequence = stream.GetReadOnlySequence();
        stream.GetContiguousMemory();
        Assert.Throws<ObjectDisposedException>(() => sequence.ToArray());
    }

    [Fact]
    public void A_sequence_stays_valid_while_more_is_written()
    {
        using var stream = _pool.GetStream("content"u8);
        stream.Seek(0, SeekOrigin.End);
        var sequence = stream.GetReadOnlySequence();
        stream.Write(new byte[100_000]);
        Assert.Equal("content"u8, sequence.ToArray());
    }

    [Fact]
    public void Parts_that_were_handed_out_throw_after_the_content_was_detached()
    {
        using var stream = _pool.GetStream("content"u8);
        var sequence = stream.GetReadOnlySequence();
        using var owner = stream.DetachMemory();
        Assert.Throws<ObjectDisposedException>(() => sequence.ToArray());
        Assert.Equal("content"u8, owner.Memory.Span);
    }

    [Fact]
    public void An_owner_throws_after_it_is_disposed()
    {
        var owner = _pool.Rent(100);
        var memory = owner.Memory;
        owner.Dispose();
        owner.Dispose();
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Equal(1, _pool.GetStatistics().Returned);
    }

    [Fact]
    public void A_detached_sequence_throws_after_it_is_disposed()
    {
        using var stream = _pool.GetStream();
        stream.Write(new byte[100_000]);
        var owner = stream.DetachSequence();
        var sequence = owner.Sequence;
        owner.Dispose();
        owner.Dispose();
        Assert.Throws<ObjectDisposedException>(() => owner.Sequence);
        Assert.Throws<ObjectDisposedException>(() => sequence.ToArray());
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Memory_that_is_pinned_when_it_is_disposed_is_not_rented_again()
    {
        var drops = new List<BufferDropReason>();
        _pool.BufferDropped += (_, dropped) => drops.Add(dropped.Reason);
        var owner = _pool.Rent(100);
        var stream = _pool.GetStream("content"u8);
        using var first = owner.Memory.Pin();
        using var second = stream.GetContiguousMemory().Pin();
        owner.Dispose();
        stream.Dispose();
        Assert.Equal([BufferDropReason.StillPinned, BufferDropReason.StillPinned], drops);
        Assert.Equal(0, _pool.GetStatistics().FreeBytes);
    }

    [Theory]
    [MemberData(nameof(Releases))]
    public void Memory_that_is_pinned_when_its_block_leaves_the_stream_is_not_rented_again(string release, Action<PooledStream> apply)
    {
        var drops = new List<BufferDropReason>();
        _pool.BufferDropped += (_, dropped) => drops.Add(dropped.Reason);
        using var stream = _pool.GetStream();
        stream.Write(new byte[200]);
        using var pin = stream.GetContiguousMemory().Pin();

        apply(stream);

        Assert.True(drops is [BufferDropReason.StillPinned], release);
    }

    [Fact]
    public void Memory_that_was_pinned_before_it_is_disposed_is_rented_again()
    {
        var owner = _pool.Rent(100);
        owner.Memory.Pin().Dispose();
        owner.Dispose();
        Assert.Equal(0, _pool.GetStatistics().Dropped);
    }

    private static string TextOf(PooledStream stream) => System.Text.Encoding.UTF8.GetString(stream.ToArray());
}
