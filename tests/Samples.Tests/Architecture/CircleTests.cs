using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>Files that use each other in a circle can only be understood together: there are few, and their circles are small.</summary>
public class CircleTests
{
    private const int MostFiles = 6;

    [Theory]
    [InlineData("src/Runtime")]
    [InlineData("src/Caching")]
    [InlineData("src/Caching.AspNetCore")]
    [InlineData("src/Bridges")]
    [InlineData("src/Bridges.RabbitMQ")]
    [InlineData("src/Bridges.Redis")]
    [InlineData("src/Tool")]
    [InlineData("src/Hosting")]
    [InlineData("src/Generator")]
    [InlineData("src/CodeFixes")]
    public void A_circle_has_at_most_6_files(string project)
    {
        var large = RoomMap.Circles(project).Where(static circle => circle.Count > MostFiles && !circle.All(IsCodec))
            .Select(static circle => $"{circle.Count}: {string.Join(", ", circle.Select(static file => Path.GetRelativePath(Repository.Root, file)).Order(StringComparer.Ordinal))}");

        var found = string.Join("\n", large);
        Assert.True(found.Length == 0, found);
    }

    // A message holds lists, dictionaries and unions, and each of them holds messages: the codec of the wire format is recursive as the format is.
    private static bool IsCodec(string file) => file.StartsWith(Repository.PathOf("src/Runtime/Wire"), StringComparison.Ordinal);
}
