using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The demo of NativeBuffering, in docs/from-native-buffering.md.</summary>
public sealed class NativeBufferingPortTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task The_entity_of_the_demo_is_written_to_a_file_and_read_in_place()
    {
        var path = _directory.PathOf("entity.bin");

        // <demo>
        var entity = new Entity
        {
            Primitive = 123,
            Unmanaged = new Foobar(123, 789),
            Bytes = [.. Enumerable.Repeat(byte.MaxValue, 128)],
            String = "abc",
            BufferedObject = new Foobarbaz(new Foobar(111, 222), "xyz"),

            PrimitiveList = [1, 2, 3],
            UnmanagedList = [new Foobar(1, 2), new Foobar(3, 4)],
            StringList = ["a", "b", "c"],
            BufferedObjectList = [new Foobarbaz(new Foobar(1, 2), "a"), new Foobarbaz(new Foobar(3, 4), "b")],
        };

        await entity.WriteToAsync(path);

        using var owner = await BufferedMessage.LoadAsync<EntityBufferedMessage>(path);
        var message = owner.Message;

        Assert.Equal(3, message.PrimitiveList.Length);                 // a span has a Length
        Assert.Equal(2, message.PrimitiveList[1]);

        Assert.Equal(2, message.UnmanagedList.Length);
        Assert.Equal(1, message.UnmanagedList[0].Foo);

        Assert.Equal(3, message.StringList.Count);                     // a list view has a Count
        Assert.True(message.StringList[0] == "a");                     // compared in place

        Assert.Equal(2, message.BufferedObjectList.Count);
        Assert.Equal(4, message.BufferedObjectList[1].Foobar.Bar);
        Assert.True(message.BufferedObjectList[1].Baz == "b"u8);
        // </demo>
    }
}
