using System.Security.Cryptography;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Messages that kill the process of their handler.</summary>
public sealed class CrashTests : IDisposable
{
    private const int MaxDeaths = 5;

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_kills_its_process_becomes_a_dead_letter_after_five_attempts_and_the_others_are_handled(bool isOrdered)
    {
        using (var queue = MessageQueue.Open(_test.Orders))
        using (var producer = queue.OpenProducer<Order>())
        {
            for (var id = 1; id <= 5; id++)
            {
                producer.Publish(new Order { Id = id });
            }
        }

        var begun = new List<string>();
        for (var life = 0; life < MaxDeaths; life++)
        {
            using var process = ChildProcess.Start(nameof(Parts.DieWith), _test.Orders, "3", $"{isOrdered}");
            while (process.Hear() is { } id)
            {
                begun.Add(id);
            }

            process.AwaitEnd();
            Assert.Equal("3", begun[^1]);
        }

        using var survivor = ChildProcess.Start(nameof(Parts.DieWith), _test.Orders, "3", $"{isOrdered}");
        begun.AddRange([survivor.Hear()!, survivor.Hear()!]);
        Assert.Equal(["1", "2", "3", "3", "3", "3", "3", "4", "5"], begun);

        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var letter = Assert.Single(letters.List());
        Assert.Equal((MaxDeaths, null), (letter.Attempts, letter.ExceptionType));
        Assert.Contains("5 attempts", letter.Reason, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Path.Combine(_test.Orders, "dead", "shipping.attempts")));
    }

    [Fact]
    public async Task The_message_of_a_dead_process_is_handled_by_a_living_one_with_its_attempt_and_the_log_says_so()
    {
        var attempts = new List<int>();
        _test.Desk.Work = (_, context, _) =>
        {
            attempts.Add(context.Attempt);
            return ValueTask.CompletedTask;
        };
        var host = await _test.StartAsync(isPaused: true);
        TestHost.Publish(host, 1);
        using (var process = ChildProcess.Start(nameof(Parts.HoldMessage), _test.Orders))
        {
            Assert.Equal("taken", process.Hear());
            process.Kill();
        }

        TestHost.ControlOf(host).Resume();
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        Assert.Equal([2], attempts);
        await TestHost.UntilAsync(() => _test.Log.Of(16).Any(static line => line.Text.StartsWith("Queue orders: Redelivery: ", StringComparison.Ordinal)), "the log line of the queue");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_crash_of_the_machine_is_the_death_of_no_message(bool isOrdered)
    {
        var host = await _test.StartAsync(handler => handler.Ordered = isOrdered, isPaused: true);
        TestHost.Publish(host, 1, 2, 3);
        await host.StopAsync();
        host.Dispose();
        RestartMachine();

        var redeliveries = 0;
        _test.Desk.Work = (_, context, _) =>
        {
            redeliveries += context.IsRedelivery ? 1 : 0;
            return ValueTask.CompletedTask;
        };
        host = await _test.StartAsync(handler => (handler.Ordered, handler.MaxDeaths) = (isOrdered, 1));
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 3, "the orders");

        Assert.Equal((3, 0), (redeliveries, TestHost.ControlOf(host).DeadLetters));
        await TestHost.UntilAsync(() => Directory.GetFiles(Path.Combine(_test.Orders, "dead", "shipping.attempts")).Length == 0, "the end of the notes");
    }

    [Fact]
    public async Task A_redelivery_that_cannot_be_noted_is_handled_also_if_one_death_is_too_many()
    {
        var host = await _test.StartAsync(isPaused: true);
        TestHost.Publish(host, 1);
        await host.StopAsync();
        host.Dispose();
        RestartMachine();
        var letters = Directory.CreateDirectory(Path.Combine(_test.Orders, "dead")).FullName;
        await File.WriteAllTextAsync(Path.Combine(letters, "shipping.attempts"), "in the way");

        host = await _test.StartAsync(static handler => handler.MaxDeaths = 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host) is { Handled: 1 } or { DeadLetters: 1 }, "the order");

        Assert.Equal((1, 0), (TestHost.ControlOf(host).Handled, TestHost.ControlOf(host).DeadLetters));
        Assert.NotEmpty(_test.Log.Of(15));
    }

    // The control file has the number of the machine's start.
    private void RestartMachine()
    {
        const int BootIdOffset = 1408;
        using var control = File.OpenHandle(Path.Combine(_test.Orders, "control"), FileMode.Open, FileAccess.Write);
        RandomAccess.Write(control, RandomNumberGenerator.GetBytes(16), BootIdOffset);
    }
}
