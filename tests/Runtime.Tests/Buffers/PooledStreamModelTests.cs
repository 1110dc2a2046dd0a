using FsCheck;
using FsCheck.Fluent;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>Random sequences of operations do the same to a pooled stream as to a memory stream.</summary>
public class PooledStreamModelTests
{
    private const int LeastSequences = 20_000;
    private const int MostOperations = 25;

    // Numbers around nothing, the sizes of blocks and large buffers, and anything.
    private static readonly Gen<int> Number = Gen.Frequency(
        (3, Gen.Choose(-3, 70)),
        (3, Gen.Choose(-1, 1).SelectMany(difference => Gen.Elements(64, 256, 320, 1024, 4096, 5440, 8192, 16_384).Select(size => size + difference))),
        (2, Gen.Choose(0, 3_000)),
        (1, Gen.Choose(-5_000, 20_000)));

    private static readonly Gen<StreamOperation> Operation =
        from kind in Gen.Elements(Enum.GetValues<StreamOperationKind>())
        from first in Number
        from second in Number
        select new StreamOperation(kind, first, second);

    public static TheoryData<string, BufferPoolOptions> Behaviours { get; } = new()
    {
        { "default", new BufferPoolOptions() },
        { "pinned", new BufferPoolOptions { Pinned = true } },
        { "cleared", new BufferPoolOptions { ClearOnReturn = true } },
        { "poisoned, linear growth", new BufferPoolOptions { PoisonOnReturn = true, LargeBufferGrowth = LargeBufferGrowth.Linear } },
    };

    [Theory]
    [MemberData(nameof(Behaviours))]
    public void At_least_20000_random_sequences_do_the_same_as_to_a_memory_stream(string behaviour, BufferPoolOptions options)
    {
        // All behaviours together are that many. The blocks are small, so that each sequence meets many of their ends.
        var share = LeastSequences / Behaviours.Count;
        (options.BlockBytes, options.LargeBufferBytes, options.MaxPooledBufferBytes, options.TrimAfter) = (4096, 8192, 65_536, Timeout.InfiniteTimeSpan);
        var pool = new BufferPool(options);
        var sequences = Arb.From(
            from count in Gen.Choose(1, MostOperations)
            from operations in Operation.ArrayOf(count)
            select operations,
            Shorter);
        var compared = 0;
        Prop.ForAll(sequences, operations =>
        {
            AssertLikeMemoryStream(pool, operations);
            compared++;
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(share));
        Assert.True(compared >= share, $"Only {compared} sequences were compared with the behaviour '{behaviour}', not {share}.");
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    private static void AssertLikeMemoryStream(BufferPool pool, StreamOperation[] operations)
    {
        using var comparison = new StreamComparison(pool.GetStream());
        foreach (var operation in operations)
        {
            comparison.Apply(operation);
        }

        comparison.AssertSameContent();
    }

    private static IEnumerable<StreamOperation[]> Shorter(StreamOperation[] operations) =>
        operations.Select((_, left) => operations.Where((_, index) => index != left).ToArray());
}
