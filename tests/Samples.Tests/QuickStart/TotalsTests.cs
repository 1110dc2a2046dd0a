using BufferedMessages.Samples.QuickStart;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.QuickStart;

/// <summary>What a kill between two instructions would leave, made by hand.</summary>
public sealed class TotalsTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_message_that_is_delivered_again_to_a_new_process_is_counted_once()
    {
        using (var killed = new Totals(_directory.Path))
        {
            Add(killed, new FileFound { Number = 1, Path = "a.txt", Extension = ".txt", Bytes = 10 });
            Add(killed, new FileFound { Number = 2, Path = "b.txt", Extension = ".txt", Bytes = 20 });
        }

        using var totals = new Totals(_directory.Path);
        Add(totals, new FileFound { Number = 2, Path = "b.txt", Extension = ".txt", Bytes = 20 });
        Add(totals, new FileFound { Number = 3, Path = "c.txt", Extension = ".txt", Bytes = 40 });

        Assert.Equal((3, 70), (totals.Sum().Files, totals.Sum().Bytes));
        Assert.Equal("c.txt", totals.LastPath);
    }

    [Fact]
    public void A_missing_message_is_refused()
    {
        using var totals = new Totals(_directory.Path);
        Add(totals, new FileFound { Number = 1, Path = "a.txt", Extension = ".txt" });

        Assert.Throws<InvalidDataException>(() => Add(totals, new FileFound { Number = 3, Path = "c.txt", Extension = ".txt" }));
    }

    [Fact]
    public void A_change_leaves_the_older_copy_whole()
    {
        var row = default(ExtensionRow);
        row.Add(1, 10);
        ref readonly var before = ref row.Count;
        row.Add(2, 20);

        Assert.Equal((1, 1, 10), (before.Number, before.Files, before.Bytes));
        Assert.Equal((2, 2, 30), (row.Count.Number, row.Count.Files, row.Count.Bytes));
    }

    [Fact]
    public void Extensions_without_a_row_of_their_own_share_one()
    {
        using var totals = new Totals(_directory.Path);
        Add(totals, new FileFound { Number = 1, Path = "a", Extension = "." + new string('x', 31), Bytes = 1 });
        Add(totals, new FileFound { Number = 2, Path = "b", Extension = "." + new string('y', 200), Bytes = 2 });

        var (extension, count) = Assert.Single(totals.Largest(10));
        Assert.Equal(("(others)", 2, 3), (extension, count.Files, count.Bytes));
    }

    [Fact]
    public void The_end_of_the_walk_is_remembered()
    {
        using (var totals = new Totals(_directory.Path))
        {
            Add(totals, new FileFound { Number = 1, End = new WalkEnd { Links = 3 } });
        }

        using var reopened = new Totals(_directory.Path);
        Assert.Equal((1, 3), (reopened.End.Number, reopened.End.Links));
    }

    private static void Add(Totals totals, FileFound file) => totals.Add(BufferedMessage.Create<FileFoundBufferedMessage>(file.ToMessageArray()));
}
