using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues that a newer program wrote: there is no answer whether they are sound, and nothing of them is repaired.</summary>
public abstract class NewerTests(QueueMode mode) : IDisposable
{
    private const string Advice = "Update the BufferedMessages package";
    private const int RequiredFeaturesByte = 3;

    private readonly QueueDirectory _directory = new(mode, ProducerMode.Multiple);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(QueueFormat.ControlVersionOffset, 3u)]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset, 2u)]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset, 1u << 31)]
    [InlineData(QueueFormat.ControlRetentionFlagsOffset, 8u)]
    [InlineData(QueueFormat.ControlContentOffset, 4u)]
    public async Task A_control_file_ends_with_2_and_stays(int offset, uint value)
    {
        Publish();
        QueueDirectory.Damage(_directory.ControlFile, offset, BitConverter.GetBytes(value));
        var control = File.ReadAllBytes(_directory.ControlFile);

        foreach (var arguments in new string[][] { ["verify", _directory.Path, "--all"], ["repair", _directory.Path, "--apply"] })
        {
            var run = await ToolRun.InProcessAsync(arguments);
            Assert.True(run.Code == 2, run.Output + run.Errors);
            Assert.Contains(Advice, run.Errors, StringComparison.Ordinal);
        }

        Assert.Equal(control, File.ReadAllBytes(_directory.ControlFile));
    }

    [Theory]
    [InlineData(QueueFormat.VersionOffset, 2)]
    [InlineData(QueueFormat.RequiredFeaturesOffset, 1)]
    [InlineData(QueueFormat.RequiredFeaturesOffset + 3, 0x80)]
    public async Task A_segment_is_unknown_at_its_position_and_stays(int offset, byte value)
    {
        Publish();
        QueueFormat.ChangeHeader(_directory, 0, offset, value);

        await RequireUnknown(position: 0);
    }

    [Fact]
    public async Task A_record_is_unknown_at_its_position_and_stays()
    {
        var positions = Publish();
        for (var bit = 0; bit < 8; bit++)
        {
            QueueDirectory.Damage(_directory.SegmentFile(0), positions[1] + RequiredFeaturesByte, (byte)(1 << bit));
            await RequireUnknown(positions[1]);
        }
    }

    [Fact]
    public async Task Optional_features_are_sound()
    {
        Publish();
        QueueFormat.ChangeHeader(_directory, 0, QueueFormat.OptionalFeaturesOffset, 0xFF);
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlOptionalFeaturesOffset, 0xFF, 0xFF, 0xFF, 0xFF);

        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", _directory.Path, "--all")).Code);
    }

    private async Task RequireUnknown(long position)
    {
        var before = QueueFormat.HashesOfMessages(_directory);

        var check = await ToolRun.InProcessAsync("verify", _directory.Path, "--all");
        var repair = await ToolRun.InProcessAsync("repair", _directory.Path, "--apply");

        Assert.True((2, 2) == (check.Code, repair.Code), check.Output + repair.Output + repair.Errors);
        Assert.Contains($"unknown  {Path.GetFileName(_directory.SegmentFile(0))} at {Quantity.Of(position)}: ", check.Output, StringComparison.Ordinal);
        Assert.Contains(Advice, check.Output, StringComparison.Ordinal);
        Assert.Equal(before, QueueFormat.HashesOfMessages(_directory));
    }

    private long[] Publish()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        return Payload.PublishNumbers(producer, 0, 3);
    }

    public sealed class Durable() : NewerTests(QueueMode.Durable);

    public sealed class Bounded() : NewerTests(QueueMode.Bounded);
}
