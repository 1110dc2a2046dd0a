using System.Buffers;
using System.Buffers.Binary;
using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class LoadTests
{
    private static readonly byte[] First = new Person { Name = "Foobar", Age = 30 }.ToMessageArray();
    private static readonly byte[] Second = new Person { Name = "a longer name than that", Age = 31 }.ToMessageArray();

    [Fact]
    public async Task A_file_is_loaded()
    {
        using var file = new TemporaryFile();
        await File.WriteAllBytesAsync(file.Path, First);
        using var loaded = BufferedMessage.Load<PersonBufferedMessage>(file.Path);
        using var loadedAsync = await BufferedMessage.LoadAsync<PersonBufferedMessage>(file.Path);
        Assert.Equal(30, loaded.Message.Age);
        Assert.Equal(First, loadedAsync.Bytes.ToArray());
    }

    [Fact]
    public void Bytes_after_the_message_in_a_file_are_ignored()
    {
        using var file = new TemporaryFile();
        File.WriteAllBytes(file.Path, [.. First, 1, 2, 3]);
        using var loaded = BufferedMessage.Load<PersonBufferedMessage>(file.Path);
        Assert.Equal(First, loaded.Bytes.ToArray());
    }

    [Fact]
    public async Task A_stream_that_gives_one_byte_at_a_time_is_read_completely()
    {
        using var loaded = BufferedMessage.Load<PersonBufferedMessage>(new TricklingStream(Second));
        using var loadedAsync = await BufferedMessage.LoadAsync<PersonBufferedMessage>(new TricklingStream(Second));
        Assert.Equal(Second, loaded.Bytes.ToArray());
        Assert.Equal(Second, loadedAsync.Bytes.ToArray());
    }

    [Fact]
    public async Task Messages_follow_each_other_in_a_stream()
    {
        using var stream = new TricklingStream([.. First, .. Second, .. First]);
        using var first = BufferedMessage.Load<PersonBufferedMessage>(stream);
        Assert.Equal(First.Length, stream.Given);
        using var second = await BufferedMessage.LoadAsync<PersonBufferedMessage>(stream);
        Assert.Equal(First.Length + Second.Length, stream.Given);
        using var third = BufferedMessage.Load<PersonBufferedMessage>(stream);
        Assert.Equal((30, 31, 30), (first.Message.Age, second.Message.Age, third.Message.Age));
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(65_536)]
    [InlineData(1_000_000)]
    public async Task A_message_of_any_size_is_loaded(int payload)
    {
        var bytes = new Blobs { Nine = new byte[payload] }.ToMessageArray();
        Random.Shared.NextBytes(bytes.AsSpan(^payload..^7));
        using var loaded = BufferedMessage.Load<BlobsBufferedMessage>(new MemoryStream(bytes));
        using var loadedAsync = await BufferedMessage.LoadAsync<BlobsBufferedMessage>(new MemoryStream(bytes));
        Assert.True(loaded.Bytes.Span.SequenceEqual(bytes));
        Assert.True(loadedAsync.Bytes.Span.SequenceEqual(bytes));
    }

    [Fact]
    public async Task A_stream_that_ends_before_the_message_is_malformed()
    {
        for (var length = 0; length < First.Length; length++)
        {
            Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First[..length])));
            await Assert.ThrowsAsync<MalformedMessageException>(() => BufferedMessage.LoadAsync<PersonBufferedMessage>(new MemoryStream(First[..length])));
        }
    }

    [Fact]
    public void An_empty_file_is_malformed()
    {
        using var file = new TemporaryFile();
        File.WriteAllBytes(file.Path, []);
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(file.Path));
    }

    [Fact]
    public void A_file_that_is_not_there_is_not_found() =>
        Assert.Throws<FileNotFoundException>(() => BufferedMessage.Load<PersonBufferedMessage>(Path.Combine(Path.GetTempPath(), Path.GetRandomFileName())));

    [Fact]
    public void A_header_that_promises_two_gigabytes_costs_no_more_memory_than_arrives()
    {
        var bytes = HeaderOf(0x7FFF_FFF8);
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(bytes)));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(7u)]
    [InlineData(8u)]
    [InlineData(0x8000_0000u)]
    [InlineData(0xFFFF_FFF8u)]
    public void A_header_with_an_impossible_size_is_malformed(uint totalBytes) =>
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(HeaderOf(totalBytes))));

    [Theory]
    [InlineData(false, 0x7FFF_FFC8u)]
    [InlineData(true, 0x7FFF_FF88u)]
    public void A_message_that_no_buffer_of_the_pool_can_hold_is_malformed(bool isPinned, uint totalBytes)
    {
        const int Parts = 32 * 1024;
        var pool = new BufferPool(new BufferPoolOptions { Pinned = isPinned });

        // Two gigabytes of the same bytes.
        var part = new byte[64 * 1024];
        HeaderOf(totalBytes).CopyTo(part, 0);
        var first = new PooledSegment(part);
        var last = first;
        for (var i = 1; i < Parts; i++)
        {
            last = last.Append(part);
        }

        var sequence = new ReadOnlySequence<byte>(first, 0, last, part.Length);

        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(sequence, pool));
    }

    [Fact]
    public void A_whole_message_with_a_bad_header_is_malformed()
    {
        var bytes = First.ToArray();
        bytes[2] = 9;
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(bytes)));
    }

    [Fact]
    public async Task The_buffer_comes_from_the_callers_pool_if_there_is_one()
    {
        using var file = new TemporaryFile();
        await File.WriteAllBytesAsync(file.Path, First);
        var pool = new BufferPool();
        using (BufferedMessage.Load<PersonBufferedMessage>(file.Path, pool))
        using (BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First), pool))
        using (await BufferedMessage.LoadAsync<PersonBufferedMessage>(file.Path, pool))
        using (await BufferedMessage.LoadAsync<PersonBufferedMessage>(new MemoryStream(First), pool))
        {
            Assert.Equal((4, 0), (pool.GetStatistics().Rented, pool.GetStatistics().Returned));
        }

        Assert.Equal((4, 4), (pool.GetStatistics().Rented, pool.GetStatistics().Returned));
    }

    [Fact]
    public async Task A_cancelled_load_is_cancelled()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => BufferedMessage.LoadAsync<PersonBufferedMessage>(new TricklingStream(First), cancellationToken: cancelled.Token));
    }

    [Fact]
    public void A_pool_that_clears_shows_nothing_of_a_stream_that_failed_after_it_wrote_to_the_buffer()
    {
        var pool = new BufferPool(new BufferPoolOptions { ClearOnReturn = true });
        var secret = Guid.NewGuid().ToByteArray();
        Assert.Throws<IOException>(() => BufferedMessage.Load<PersonBufferedMessage>(new ForgedStream(HeaderOf(1_000), secret), pool));

        using var owner = pool.Rent(64 * 1024);
        Assert.Equal((1, -1), (pool.GetStatistics().Allocated, owner.Memory.Span.IndexOf(secret)));
    }

    [Fact]
    public void A_disposed_message_refuses_use()
    {
        var loaded = BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First));
        loaded.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { _ = loaded.Message; });
        Assert.Throws<ObjectDisposedException>(() => { _ = loaded.Bytes; });
    }

    [Fact]
    public void A_message_disposed_twice_returns_its_buffer_once()
    {
        var loaded = BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First));
        loaded.Dispose();
        using var next = BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First));
        loaded.Dispose();
        using var other = BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(Second));
        Assert.Equal(First, next.Bytes.ToArray());
        Assert.Equal(Second, other.Bytes.ToArray());
    }

    [Fact]
    public void A_message_is_disposed_through_any_copy_of_its_owner()
    {
        var loaded = BufferedMessage.Load<PersonBufferedMessage>(new MemoryStream(First));
        var copy = loaded;
        copy.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { _ = loaded.Message; });
    }

    [Fact]
    public void The_default_owner_refuses_use_and_can_be_disposed()
    {
        var none = default(PooledBufferedMessage<PersonBufferedMessage>);
        Assert.Throws<ObjectDisposedException>(() => { _ = none.Message; });
        Assert.Throws<ObjectDisposedException>(() => { _ = none.Bytes; });
        none.Dispose();
    }

    [Fact]
    public void A_message_in_memory_may_start_at_any_address()
    {
        for (var shift = 0; shift < 8; shift++)
        {
            byte[] buffer = [.. new byte[shift], .. Second];
            var view = BufferedMessage.Create<PersonBufferedMessage>(buffer.AsSpan(shift));
            Assert.True(view.Name == "a longer name than that");
        }
    }

    private static byte[] HeaderOf(uint totalBytes)
    {
        var bytes = First.ToArray();
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), totalBytes);
        return bytes;
    }

    // It decrypts into the memory of its reader, and sees at the end of a block that the block was forged.
    private sealed class ForgedStream(byte[] genuine, byte[] forged) : MemoryStream(genuine)
    {
        public override int Read(Span<byte> buffer)
        {
            if (Position < Length)
            {
                return base.Read(buffer);
            }

            forged.CopyTo(buffer);
            throw new IOException("The block was forged.");
        }
    }
}
