namespace BufferedMessages.Caching.Tests;

[CollectionDefinition(nameof(ThreadNumberTests), DisableParallelization = true)]
[Collection(nameof(ThreadNumberTests))]
public sealed class ThreadNumberTests
{
    [Fact]
    public void Threads_that_come_and_go_use_few_numbers_without_a_garbage_collection()
    {
        var numbers = new List<int>();
        for (var i = 0; i < 2 * ThreadNumber.Max; i++)
        {
            Run(() => numbers.Add(ThreadNumber.Assign()));
        }

        // The threads of other tests have numbers too.
        Assert.DoesNotContain(ThreadNumber.None, numbers);
        Assert.InRange(numbers.Distinct().Count(), 1, ThreadNumber.Max / 4);
    }

    [Fact]
    public void Threads_that_live_at_the_same_time_have_different_numbers_until_there_are_no_more()
    {
        const int Threads = ThreadNumber.Max + 8;
        using var end = new ManualResetEventSlim();
        using var assigned = new CountdownEvent(Threads);
        var numbers = new int[Threads];
        var kept = new int[Threads];
        var threads = Enumerable.Range(0, Threads).Select(i => new Thread(() =>
        {
            numbers[i] = ThreadNumber.Assign();
            assigned.Signal();
            end.Wait();
            kept[i] = ThreadNumber.Current;
        })).ToList();
        threads.ForEach(thread => thread.Start());
        assigned.Wait();
        end.Set();
        threads.ForEach(thread => thread.Join());

        Assert.Equal(numbers, kept);
        var given = numbers.Where(number => number != ThreadNumber.None).ToList();
        Assert.Equal(given.Count, given.Distinct().Count());
        Assert.InRange(given.Count, ThreadNumber.Max / 4, ThreadNumber.Max);
        Run(() => Assert.NotEqual(ThreadNumber.None, ThreadNumber.Assign()));
    }

    [Fact]
    public void A_thread_that_has_found_no_number_looks_again_once_in_a_while()
    {
        const int Lookers = 8;
        const int Threads = ThreadNumber.Max + Lookers;
        using var end = new ManualResetEventSlim();
        using var haveEnded = new ManualResetEventSlim();
        using var assigned = new CountdownEvent(Threads);
        var numbers = new int[Threads];
        var asks = new int[Threads];
        var lookers = 0;
        var threads = Enumerable.Range(0, Threads).Select(i => new Thread(() =>
        {
            numbers[i] = ThreadNumber.Assign();
            assigned.Signal();
            end.Wait();
            if (numbers[i] == ThreadNumber.None && Interlocked.Increment(ref lookers) <= Lookers)
            {
                haveEnded.Wait();
                for (asks[i] = 1; asks[i] < 2 * ThreadNumber.AsksPerLook && ThreadNumber.Assign() == ThreadNumber.None; asks[i]++)
                {
                }
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        assigned.Wait();
        end.Set();
        for (var i = 0; i < Threads; i++)
        {
            if (numbers[i] != ThreadNumber.None)
            {
                threads[i].Join();
            }
        }

        haveEnded.Set();
        threads.ForEach(thread => thread.Join());

        Assert.Equal(Enumerable.Repeat(ThreadNumber.AsksPerLook, Lookers), asks.Where(count => count != 0));
    }

    private static void Run(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action));
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }
}
