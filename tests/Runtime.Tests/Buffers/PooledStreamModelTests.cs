using FsCheck;
using FsCheck.Fluent;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>Random sequences of operations do the same to a pooled stream as to a memory stream.</summary>
public class PooledStreamModelTests
{
    private const int Sequences = 5_000;
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

    [Fact]
    public void With_default_behaviour() => AssertLikeMemoryStream(new BufferPoolOptions());

    [Fact]
    public void With_pinned_buffers() => AssertLikeMemoryStream(new BufferPoolOptions { Pinned = true });

    [Fact]
    public void With_cleared_buffers() => AssertLikeMemoryStream(new BufferPoolOptions { ClearOnReturn = true });

    [Fact]
    public void With_poisoned_buffers_and_linear_growth() =>
        AssertLikeMemoryStream(new BufferPoolOptions { PoisonOnReturn = true, LargeBufferGrowth = LargeBufferGrowth.Linear });

    // Together these are 20,000 sequences. The blocks are small, so that each sequence meets many of their ends.
    private static void AssertLikeMemoryStream(BufferPoolOptions options)
    {
        var pool = new BufferPool(options with { BlockBytes = 4096, LargeBufferBytes = 8192, MaxPooledBufferBytes = 65_536, TrimAfter = Timeout.InfiniteTimeSpan });
        var sequences = Arb.From(
            from count in Gen.Choose(1, MostOperations)
            from operations in Operation.ArrayOf(count)
            select operations,
            Shorter);
        Prop.ForAll(sequences, operations => AssertLikeMemoryStream(pool, operations)).Check(Config.QuickThrowOnFailure.WithMaxTest(Sequences));
        Assert.Equal(0, pool.GetStatistics().BytesInUse);
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
