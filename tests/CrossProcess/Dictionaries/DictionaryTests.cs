using System.Globalization;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.CrossProcess.Dictionaries;

/// <summary>Dictionaries that are looked up in another process than the one that wrote them.</summary>
public sealed class DictionaryTests : IDisposable
{
    private const long SegmentBytes = 16 * 1024 * 1024;
    private const string CatalogueFile = "citm_catalog.json";

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(5)]
    [InlineData(5000)]
    public void Another_process_finds_every_key(int count)
    {
        using var queue = Open();
        using var peer = Peer.Start(nameof(DictionaryParts.LookUp), _directory.Queue, count.ToString(CultureInfo.InvariantCulture));
        using var producer = queue.OpenProducer<Index>();

        producer.Publish(new Index
        {
            ByName = Enumerable.Range(0, count).ToDictionary(DictionaryParts.NameOf),
            ById = Enumerable.Range(0, count).ToDictionary(DictionaryParts.IdOf, DictionaryParts.NameOf),
            Names = Enumerable.Range(0, count).Select(DictionaryParts.NameOf).ToHashSet(),
        });

        Assert.Equal($"{count} of {count}", peer.Hear());
    }

    [TestDataFact(CatalogueFile)]
    public void Another_process_reads_every_field_of_the_concert_catalogue_in_place()
    {
        var path = TestDataFactAttribute.PathOf(CatalogueFile);
        using var queue = Open();
        using var peer = Peer.Start(nameof(DictionaryParts.CompareCatalogue), _directory.Queue, path);
        using var producer = queue.OpenProducer<Catalogue>();

        producer.Publish(DictionaryParts.ReadCatalogue(path));

        var answer = peer.Hear();
        Assert.EndsWith(" fields", answer, StringComparison.Ordinal);
        Assert.True(int.Parse(answer!.Split(' ')[0], CultureInfo.InvariantCulture) > 20_000, answer);
    }

    private MessageQueue Open() => MessageQueue.Open(_directory.Queue, new MessageQueueOptions { SegmentBytes = SegmentBytes });
}
