using System.Globalization;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The versions of a schema that a receiver remembers. A stream may report any number of them.</summary>
public sealed class KnownVersionTests : BridgeFixture
{
    private const int MostKnown = 64;

    // The destination has the members of all versions, so it stores only the one with all members.
    [Fact]
    public void As_many_versions_as_the_limit_are_known_and_one_more_takes_the_place_of_all()
    {
        using var destination = Directories.Open("destination");
        using var letters = new DeadLetters(new BridgeLink(destination, Stream, new ReceiverOptions()), Stream.MaxBodyBytes);
        using var publisher = new RunPublisher(destination, Stream, verify: true, new SourceChains(), new ReceiverCounts(), letters);
        publisher.Learn(SchemaWith(MostKnown + 1));
        for (var members = 1; members < MostKnown; members++)
        {
            publisher.Learn(SchemaWith(members));
        }

        Assert.All(Enumerable.Range(1, MostKnown - 1), members => Assert.True(publisher.TryOpen(SchemaWith(members))));
        publisher.Learn(SchemaWith(MostKnown));

        Assert.False(publisher.TryOpen(SchemaWith(1)));
        Assert.True(publisher.TryOpen(SchemaWith(MostKnown)));
        Assert.True(publisher.TryOpen(SchemaWith(MostKnown + 1)));
    }

    private static MessageRun SchemaWith(int members)
    {
        var lines = Enumerable.Range(0, members).Select(static number => string.Create(CultureInfo.InvariantCulture, $"{number} i32 Member{number}\n"));
        var schema = MessageSchema.Parse("message Order\n" + string.Concat(lines));
        var header = new byte[MessageRun.HeaderBytes];
        MessageRun.WriteHeader(header, RunKind.Schema, RunFlags.None, count: 0, Guid.NewGuid(), default, default, schema.Fingerprint, firstPosition: 0);
        return new MessageRun(header, RunContent.Encode(new QueueContent(ContentKind.Message, schema.Text, schema.Fingerprint)));
    }
}
