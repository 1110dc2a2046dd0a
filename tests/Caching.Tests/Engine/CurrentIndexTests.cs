using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

public sealed class CurrentIndexTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Only_a_process_that_only_reads_takes_the_next_generation_from_its_file(bool isReadOnly)
    {
        _directory.Open<int>().Dispose();
        var control = CacheControl.Open(_directory, CacheKey.KindOf<int>(), FileAccess.ReadWrite);
        var table = IndexTable.TryOpen(_directory, control.Header.IndexGeneration, FileAccess.Read, out _)!;
        var index = new CurrentIndex(control, isReadOnly);
        index.Publish(table);
        var larger = IndexTable.Create(_directory, table.Generation + 1, 2 * table.Buckets, FilePermissions.OfUser);

        control.Header.IndexGeneration = larger.Generation;

        Assert.Equal(isReadOnly ? larger.Bytes : table.Bytes, index.Bytes);
        Assert.Equal(isReadOnly ? larger.Generation : table.Generation, index.Table.Generation);
        Assert.Equal(!isReadOnly, ReferenceEquals(index.Published, table));
    }
}
