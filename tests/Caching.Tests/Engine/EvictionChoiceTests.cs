namespace BufferedMessages.Caching.Tests;

/// <summary>The sample of the reads, the counts of keys, the trial and the ranks by which the entries are chosen that leave a full cache.</summary>
public sealed class EvictionChoiceTests
{
    private const int EntryBytes = 100;

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

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Entries_that_were_read_more_often_are_kept_as_far_as_there_is_room(bool prefersRecent)
    {
        var kept = new KeptEntries(prefersRecent);
        for (var reads = 0; reads <= IndexCell.MaxReads; reads++)
        {
            kept.Weigh(IndexWord.Referenced, reads, isCarried: false, EntryBytes);
        }

        kept.Choose((3 * EntryBytes) - 1);

        Assert.Equal([14, 15], Enumerable.Range(0, IndexCell.MaxReads + 1).Where(reads => kept.TryKeep(IndexWord.Referenced, reads, isCarried: false, EntryBytes)).ToArray());
    }

    [Fact]
    public void Of_entries_that_were_read_as_often_those_that_were_kept_before_are_kept_and_of_equal_ones_as_many_as_fit()
    {
        var kept = new KeptEntries(prefersRecent: false);
        for (var i = 0; i < 3; i++)
        {
            kept.Weigh(IndexWord.Empty, 3, isCarried: false, EntryBytes);
        }

        kept.Weigh(IndexWord.Empty, 3, isCarried: true, EntryBytes);
        kept.Choose(3 * EntryBytes);

        Assert.Equal([true, true, false], Enumerable.Range(0, 3).Select(_ => kept.TryKeep(IndexWord.Empty, 3, isCarried: false, EntryBytes)).ToArray());
        Assert.True(kept.TryKeep(IndexWord.Empty, 3, isCarried: true, EntryBytes));
    }

    [Fact]
    public void Where_recent_use_counts_entries_that_were_not_read_leave_although_there_is_room()
    {
        var kept = new KeptEntries(prefersRecent: true);
        kept.Weigh(IndexWord.Empty, 5, isCarried: true, EntryBytes);
        kept.Weigh(IndexWord.Referenced, 0, isCarried: false, EntryBytes);
        kept.Choose(10 * EntryBytes);

        Assert.False(kept.TryKeep(IndexWord.Empty, 5, isCarried: true, EntryBytes));
        Assert.True(kept.TryKeep(IndexWord.Referenced, 0, isCarried: false, EntryBytes));
    }

    [Fact]
    public void The_oldest_key_of_a_trial_is_the_one_that_was_not_used_for_the_longest_time()
    {
        var keys = new TrialList(3);
        keys.Add(1);
        keys.Add(2);
        Assert.False(keys.IsFull);
        keys.Add(3);
        Assert.True(keys.IsFull);

        Assert.True(keys.TryUse(1));
        Assert.Equal(2UL, keys.Oldest);
        keys.Add(4);
        Assert.False(keys.TryUse(2));
        Assert.Equal(3UL, keys.Oldest);
        Assert.True(keys.TryUse(1));
        Assert.True(keys.TryUse(1));
        Assert.True(keys.TryUse(3));
        Assert.Equal(4UL, keys.Oldest);
        keys.Add(5);
        Assert.Equal(1UL, keys.Oldest);
        Assert.False(keys.TryUse(4));
    }

    [Fact]
    public void A_trial_prefers_frequent_use_beside_keys_that_are_asked_for_once_and_recent_use_for_keys_that_are_asked_for_again_at_once()
    {
        const int Capacity = 64;
        const int Frequent = 40;
        const int Once = 100;
        var trial = new EvictionTrial(Capacity);
        Assert.True(trial.PrefersRecent);
        var next = 1_000UL;
        for (var round = 0; round < 20; round++)
        {
            for (var key = 1UL; key <= Frequent; key++)
            {
                trial.Read(key);
            }

            for (var i = 0; i < Once; i++)
            {
                trial.Read(next++);
            }
        }

        Assert.False(trial.PrefersRecent);
        for (var i = 0; i < 4 * Once; i++)
        {
            trial.Read(next);
            trial.Read(next++);
        }

        Assert.True(trial.PrefersRecent);
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
