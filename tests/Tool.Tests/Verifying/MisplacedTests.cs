using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Segments and control files that are in the place of others.</summary>
public abstract class MisplacedTests(QueueMode mode) : IDisposable
{
    private readonly QueueDirectory _queue = new(mode, ProducerMode.Multiple);
    private readonly QueueDirectory _other = new(mode, ProducerMode.Multiple);

    public void Dispose()
    {
        _queue.Dispose();
        _other.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Segments_that_were_exchanged_go_back_with_every_message()
    {
        Fill(_queue);
        var first = QueueFormat.ReadSegment(_queue, 0);
        QueueFormat.WriteSegment(_queue, 0, QueueFormat.ReadSegment(_queue, 1));
        QueueFormat.WriteSegment(_queue, 1, first);

        var check = await ToolRun.InProcessAsync("verify", _queue.Path);
        var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--apply");

        Assert.Contains(" at 0: this is segment 1 of the queue", check.Output, StringComparison.Ordinal);
        Assert.Contains(" at 65,536: this is segment 0 of the queue", check.Output, StringComparison.Ordinal);
        Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
        Assert.Equal(Enumerable.Range(0, DamageCase.Numbers), Numbers(_queue));
    }

    [Fact]
    public async Task A_segment_of_another_queue_is_put_aside_and_none_of_its_messages_appears()
    {
        Fill(_queue);
        Fill(_other, from: 1_000_000);
        QueueFormat.WriteSegment(_queue, 0, QueueFormat.ReadSegment(_other, 0));

        var check = await ToolRun.InProcessAsync("verify", _queue.Path);
        var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--apply");

        Assert.Contains($" at 0: this is segment 0 of the queue {QueueFormat.IdOf(_other)}", check.Output, StringComparison.Ordinal);
        Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
        Assert.Equal(Enumerable.Range(QueueDirectory.NumbersInSegment, DamageCase.Numbers - QueueDirectory.NumbersInSegment), Numbers(_queue));
        Assert.NotEmpty(Directory.GetFiles(Path.Combine(_queue.Path, "lost+found"), "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task A_copy_of_one_segment_in_the_place_of_another_is_put_aside_and_no_message_comes_twice()
    {
        Fill(_queue);
        QueueFormat.WriteSegment(_queue, 0, QueueFormat.ReadSegment(_queue, 1));

        var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--apply");

        Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
        Assert.Equal(Enumerable.Range(QueueDirectory.NumbersInSegment, DamageCase.Numbers - QueueDirectory.NumbersInSegment), Numbers(_queue));
    }

    [Fact]
    public async Task A_control_file_of_another_queue_is_named_and_no_segment_is_touched()
    {
        Fill(_queue);
        Fill(_other);
        using (var queue = MessageQueue.OpenExisting(_other.Path))
        {
            queue.OpenConsumer<RawMessage>("of the other").Dispose();
        }

        File.Copy(_other.ControlFile, _queue.ControlFile, overwrite: true);
        var before = QueueFormat.HashesOfMessages(_queue);

        var check = await ToolRun.InProcessAsync("verify", _queue.Path);
        var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--apply");

        Assert.Equal((1, 1), (check.Code, repair.Code));
        Assert.Contains($" at 0: this is segment 0 of the queue ", check.Output, StringComparison.Ordinal);
        Assert.Contains($"is the control file of the queue {QueueFormat.IdOf(_other)}", repair.Errors, StringComparison.Ordinal);
        Assert.Equal(before, QueueFormat.HashesOfMessages(_queue));

        if (!_queue.IsBounded)
        {
            Assert.Equal(0, (await ToolRun.InProcessAsync("repair", _queue.Path, "--rebuild-control", "--apply")).Code);
            using (var queue = MessageQueue.OpenExisting(_queue.Path))
            {
                Assert.Empty(queue.GetStatistics().Consumers);
            }

            Assert.Equal(Enumerable.Range(0, DamageCase.Numbers), Numbers(_queue));
        }
    }

    [Fact]
    public async Task A_lost_control_file_is_named_and_made_anew_if_segments_describe_the_queue()
    {
        Fill(_queue);
        File.Delete(_queue.ControlFile);
        var before = QueueFormat.HashesOfMessages(_queue);

        var check = await ToolRun.InProcessAsync("verify", _queue.Path);
        var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--rebuild-control", "--apply");

        Assert.Equal(1, check.Code);
        Assert.Contains("damaged  control at 0: the control file is missing", check.Output, StringComparison.Ordinal);
        if (_queue.IsBounded)
        {
            Assert.Equal(1, repair.Code);
            Assert.Contains("Only durable queues", repair.Errors, StringComparison.Ordinal);
            Assert.Equal(before, QueueFormat.HashesOfMessages(_queue));
        }
        else
        {
            Assert.Equal(0, repair.Code);
            Assert.Equal(Enumerable.Range(0, DamageCase.Numbers), Numbers(_queue));
        }
    }

    private static void Fill(QueueDirectory directory, int from = 0)
    {
        using var opened = directory.Open();
        using var producer = opened.OpenProducer();
        Payload.PublishNumbers(producer, from, DamageCase.Numbers);
    }

    private static List<int> Numbers(QueueDirectory directory)
    {
        using var queue = MessageQueue.OpenExisting(directory.Path);
        using var consumer = queue.OpenConsumer<RawMessage>("numbers");
        return [.. Payload.ReadNumbers(consumer)];
    }

    public sealed class Durable() : MisplacedTests(QueueMode.Durable)
    {
        [Theory]
        [InlineData(1, false)]
        [InlineData(1, true)]
        [InlineData(2, false)]
        public async Task An_exchange_that_ended_half_way_is_finished(int moves, bool isBackwards)
        {
            Fill(_queue);
            string[] files = [_queue.SegmentFile(0), _queue.SegmentFile(QueueDirectory.SmallSegment)];
            Exchange(files[0], files[1], moves: 3);
            Exchange(files[isBackwards ? 1 : 0], files[isBackwards ? 0 : 1], moves);

            var check = await ToolRun.InProcessAsync("verify", _queue.Path);
            var repair = await ToolRun.InProcessAsync("repair", _queue.Path, "--apply");

            Assert.Contains(".segment.exchanged: a segment that a repair was exchanging", check.Output, StringComparison.Ordinal);
            Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
            Assert.Equal(Enumerable.Range(0, DamageCase.Numbers), Numbers(_queue));
            Assert.Empty(Directory.GetFiles(_queue.Path, "*.exchanged"));
        }

        // Its number is above those of the queue.
        [Fact]
        public async Task A_control_file_is_made_anew_for_the_queue_of_most_segments()
        {
            Fill(_queue);
            Fill(_other, from: 1_000_000);
            Fill(_other, from: 2_000_000);
            var newest = _other.SegmentFile(2 * QueueDirectory.SmallSegment);
            File.Copy(newest, Path.Combine(_queue.Path, Path.GetFileName(newest)));
            File.Delete(_queue.ControlFile);

            var rebuild = await ToolRun.InProcessAsync("repair", _queue.Path, "--rebuild-control", "--apply");

            Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
            Assert.Equal(Enumerable.Range(0, DamageCase.Numbers), Numbers(_queue));
            Assert.Single(Directory.GetFiles(Path.Combine(_queue.Path, "lost+found"), Path.GetFileName(newest), SearchOption.AllDirectories));
        }

        private static void Exchange(string left, string right, int moves)
        {
            var aside = left + ".exchanged";
            (string From, string To)[] all = [(left, aside), (right, left), (aside, right)];
            Array.ForEach(all[..moves], static move => File.Move(move.From, move.To));
        }
    }

    public sealed class Bounded() : MisplacedTests(QueueMode.Bounded);
}
