using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class FinalNameTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("bmq-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void Of_many_that_give_the_same_name_at_once_one_wins_and_none_replaces_its_file()
    {
        const int Givers = 4;
        for (var round = 0; round < 500; round++)
        {
            var path = Path.Combine(_directory, $"{round}");
            for (var giver = 0; giver < Givers; giver++)
            {
                File.WriteAllText($"{path}.{giver}", $"{giver}");
            }

            var winners = new List<string>();
            Parallel.For(0, Givers, new ParallelOptions { MaxDegreeOfParallelism = Givers }, giver =>
            {
                if (FinalName.TryGive($"{path}.{giver}", path))
                {
                    lock (winners)
                    {
                        winners.Add($"{giver}");
                    }
                }
            });

            Assert.Equal([File.ReadAllText(path)], winners);
        }
    }
}
