namespace BufferedMessages.Caching.Tests;

/// <summary>The sample of the reads, by which the entries are chosen that leave a full cache.</summary>
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
}
