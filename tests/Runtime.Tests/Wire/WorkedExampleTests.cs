using Music;

namespace BufferedMessages.Runtime.Tests.Wire
{
    /// <summary>Holds docs/format/messages.md to what the code does.</summary>
    public class WorkedExampleTests
    {
        internal static Album Example { get; } = new()
        {
            Title = "Kind of Blue",
            Year = 1959,
            Live = false,
            Rating = 4.5,
            Genres = ["Jazz", null, "Modal jazz"],
            Tracks = [new Track { Title = "So What", Seconds = 545 }, null, new Track { Title = "Blue in Green", Seconds = 337 }],
            Sales = [3, 5, 8],
            Discs = 1,
        };

        [Fact]
        public void The_bytes_of_the_document_are_what_is_written() => GoldenMessage.AssertWrites(Example, DocumentedBytes());

        [Fact]
        public void The_bytes_of_the_document_read_as_the_example()
        {
            var view = new AlbumBufferedMessage(DocumentedBytes());
            Assert.True(view.Title == "Kind of Blue");
            Assert.Equal((1959, false, (double?)4.5, 1), (view.Year, view.Live, view.Rating, view.Discs));
            Assert.Equal(3, view.Genres.Count);
            Assert.True(view.Genres[2] == "Modal jazz");
            Assert.True(view.Tracks[1].IsNull);
            Assert.True(view.Tracks[2].Title == "Blue in Green");
            Assert.Equal(337, view.Tracks[2].Seconds);
            Assert.Equal([3, 5, 8], view.Sales.ToArray());
        }

        [Fact]
        public void The_schema_of_the_document_is_that_of_the_example() =>
            Assert.Equal(string.Join('\n', FormatPage.Messages.Fence("schema")) + "\n", SchemaOf<Album>());

        private static string SchemaOf<TSource>()
            where TSource : IBufferedMessageSource<TSource>
            => TSource.Schema.Text;

        private static byte[] DocumentedBytes() => FormatPage.Messages.Bytes("bytes");
    }
}

namespace Music
{
    [BufferedMessages.BufferedMessageSource]
    internal partial class Album
    {
        public string? Title { get; set; }
        public ushort Year { get; set; }
        public bool Live { get; set; }
        public double? Rating { get; set; }
        public List<string?>? Genres { get; set; }
        public List<Track?>? Tracks { get; set; }
        public int[]? Sales { get; set; }
        public int Discs { get; set; }
    }

    [BufferedMessages.BufferedMessageSource]
    internal partial class Track
    {
        public string? Title { get; set; }
        public int Seconds { get; set; }
    }
}
