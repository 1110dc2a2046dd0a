using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Inspect;

public class InspectTests
{
    private const string CheckedIn = "samples/03-Inspect/Generated";
    private const string Emitted = "samples/03-Inspect/obj/generated";
    private const string Refresh = "dotnet build samples/03-Inspect -p:RefreshGenerated=true";

    [Fact]
    public void The_checked_in_files_are_what_the_generator_makes_now()
    {
        var emitted = Directory.EnumerateFiles(Repository.PathOf(Emitted), "*.g.cs", SearchOption.AllDirectories)
            .Where(path => path.Contains("BufferedMessages.Generator", StringComparison.Ordinal))
            .ToDictionary(path => Path.GetFileName(path), File.ReadAllText, StringComparer.Ordinal);
        var checkedIn = Directory.EnumerateFiles(Repository.PathOf(CheckedIn), "*.g.cs")
            .ToDictionary(path => Path.GetFileName(path), File.ReadAllText, StringComparer.Ordinal);

        Assert.True(
            emitted.Keys.Order().SequenceEqual(checkedIn.Keys.Order()),
            $"{CheckedIn} has [{string.Join(", ", checkedIn.Keys.Order())}], the generator makes [{string.Join(", ", emitted.Keys.Order())}]. Refresh it: {Refresh}");
        Assert.All(emitted, file => Assert.True(
            file.Value.ReplaceLineEndings("\n") == checkedIn[file.Key].ReplaceLineEndings("\n"),
            $"{CheckedIn}/{file.Key} is not what the generator makes now. Look at the difference and refresh it: {Refresh}"));
    }

    [Fact]
    public async Task It_reads_an_order_from_a_queue_and_prints_a_message()
    {
        var result = (await SampleProcess.RunAsync("03-Inspect")).Succeeded();

        Assert.Equal("Order 7: send 2 Lamp at once", result.Lines[0]);
        Assert.Contains("0 i32 Id", result.Lines);
        Assert.Contains("     16      8  72 75 73 68 00 00 00 84  rush....", result.Lines);
        Assert.Contains("  Lines  2 x A very small lamp, price 19.90", result.Lines);
    }
}
