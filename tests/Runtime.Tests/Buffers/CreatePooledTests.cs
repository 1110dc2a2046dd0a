using Music;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>An object becomes a message in a pooled buffer in one call.</summary>
public class CreatePooledTests
{
    private static readonly Track Source = new() { Title = "So What", Seconds = 545 };

    [Fact]
    public void The_message_is_the_one_that_the_object_writes()
    {
        using var owner = TrackBufferedMessage.CreatePooled(Source);

        Assert.Equal("So What", owner.Message.Title.ToString());
        Assert.Equal(Source.ToMessageArray(), owner.Bytes.ToArray());
    }

    [Fact]
    public void The_buffer_goes_back_to_its_pool()
    {
        var pool = new BufferPool(new BufferPoolOptions());
        var owner = TrackBufferedMessage.CreatePooled(Source, pool);
        owner.Dispose();
        owner.Dispose();

        Assert.Throws<ObjectDisposedException>(() => owner.Message.Seconds);
        using var next = TrackBufferedMessage.CreatePooled(Source, pool);
        Assert.Equal((2, 1, 1), (pool.GetStatistics().Rented, pool.GetStatistics().Returned, pool.GetStatistics().Allocated));
    }

    [Fact]
    public void Generic_code_names_the_view()
    {
        Assert.Equal(Source.ToMessageArray(), BytesOf<TrackBufferedMessage, Track>(Source));

        static byte[] BytesOf<TView, TSource>(TSource source)
            where TView : IBufferedMessage<TView>, allows ref struct
            where TSource : IBufferedMessageSource<TSource>
        {
            using var owner = BufferedMessage.CreatePooled<TView, TSource>(source);
            return owner.Bytes.ToArray();
        }
    }

    [Fact]
    public void The_owner_reads_as_its_message()
    {
        using var owner = TrackBufferedMessage.CreatePooled(Source);
        using var stream = new BufferPool().GetStream();
        Source.WriteTo(stream);
        stream.Position = 0;

        Assert.Equal("{\"Title\":\"So What\",\"Seconds\":545}", owner.ToString());
        Assert.Equal(owner.ToString(), stream.ReadMessage<TrackBufferedMessage>().ToString());
    }

    [Fact]
    public void A_view_of_another_type_is_refused() => Assert.Throws<SchemaMismatchException>(static () => AlbumBufferedMessage.CreatePooled(Source));
}
