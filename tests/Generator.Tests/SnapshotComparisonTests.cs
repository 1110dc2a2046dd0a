using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The comparison with verified files can fail, and says where.</summary>
public sealed class SnapshotComparisonTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("snapshots").FullName;

    private string TestFile => Path.Combine(_folder, "SomeTests.cs");

    private string Verified => Path.Combine(_folder, "Snapshots", "SomeTests.Some_test#A.g.verified.cs");

    private string Received => Path.Combine(_folder, "Snapshots", "SomeTests.Some_test#A.g.received.cs");

    public SnapshotComparisonTests()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Verified)!);
        File.WriteAllText(Verified, "one\ntwo\n");
    }

    [Fact]
    public void An_equal_text_passes() => Verify("one\ntwo\n");

    [Fact]
    public void A_different_text_fails_with_its_first_line_and_is_kept()
    {
        var exception = Assert.Throws<SnapshotException>(() => Verify("one\nthree\n"));

        Assert.Contains("line 2 was 'two', is 'three'", exception.Message, StringComparison.Ordinal);
        Assert.Equal("one\nthree\n", File.ReadAllText(Received));
    }

    [Fact]
    public void A_verified_file_without_a_text_fails() =>
        Assert.Throws<SnapshotException>(() => Snapshot.Verify(new Dictionary<string, string>(StringComparer.Ordinal), TestFile, "Some_test"));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void Verify(string text) =>
        Snapshot.Verify(new Dictionary<string, string>(StringComparer.Ordinal) { ["A.g.cs"] = text }, TestFile, "Some_test");
}
