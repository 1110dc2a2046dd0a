namespace BufferedMessages.Caching.Tests;

/// <summary>The sample of the reads, and the counts of keys, by which the entries are chosen that leave a full cache.</summary>
public sealed class EvictionChoiceTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(1 << 12)]
    [InlineData(1 << 16)]
    public void One_of_as_many_keys_is_sampled_as_was_asked_for(int rate)
    {
        const int Bits = 18;
        var sample = new ReadSample();
        sample.Start(rate);
        var sampled = 0;
        for (var i = 0UL; i < 1UL << Bits; i++)
        {
            // All values of the highest bits.
            sample.Note(i << (64 - Bits));
            sampled += sample.TryTake(out _) ? 1 : 0;
        }

        Assert.Equal((1 << Bits) / rate, sampled);
    }

    [Fact]
    public async Task A_count_that_two_threads_raise_at_the_same_time_changes_no_other_one()
    {
        const int Rounds = 200;
        const int Keys = 1_000;
        var wrong = 0;
        for (var round = 0; round < Rounds; round++)
        {
            var sketch = new FrequencySketch(Keys);
            using var begin = new Barrier(participantCount: 2);
            await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Task.Factory.StartNew(() => RaiseAll(sketch, begin, Keys), TaskCreationOptions.LongRunning)));
            for (var key = 1UL; key <= 2 * Keys; key++)
            {
                // One of two counts may be lost.
                wrong += (sketch.Estimate(key) is 0 or IndexCell.MaxReads) ? 0 : 1;
            }
        }

        Assert.Equal(0, wrong);
    }

    private static void RaiseAll(FrequencySketch sketch, Barrier begin, int keys)
    {
        begin.SignalAndWait();
        for (var key = 1; key <= keys; key++)
        {
            sketch.Raise((ulong)key, IndexCell.MaxReads);
        }
    }
}
