using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The failures that open a circuit, and the tries after its pause.</summary>
public sealed class CircuitTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20);

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Failures_with_a_handled_order_between_them_do_not_open_the_circuit(bool isAsynchronous)
    {
        _test.Desk.Work = async (id, _, _) =>
        {
            if (isAsynchronous)
            {
                await Task.Yield();
            }

            if (id % 2 == 1)
            {
                throw new InvalidOperationException("No.");
            }
        };
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (true, [], 2, TimeSpan.FromHours(1)));
        TestHost.Publish(host, 1, 2, 3, 4, 5, 6);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(6), "the last order");
        Assert.Equal((MessageHandlerState.Running, 3), (TestHost.ControlOf(host).State, TestHost.ControlOf(host).DeadLetters));
        Assert.Empty(_test.Log.Of(12));
    }

    [Fact]
    public async Task After_the_pause_one_worker_tries_and_another_one_only_if_it_has_a_message()
    {
        var options = new MessageHandlerOptions { BreakAfter = 1, BreakDuration = TimeSpan.FromMilliseconds(1) };
        using var flow = new HandlerFlow(new HandlerIdentity("orders", "shipping", options, TimeProvider.System, NullLogger.Instance));
        flow.Start("orders");
        flow.NoteFailure(new TimeoutException("The warehouse is down."));
        Assert.NotNull(await flow.EnterAsync(hasMessage: false));
        var withoutMessage = flow.EnterAsync(hasMessage: false).AsTask();
        Assert.NotNull(await flow.EnterAsync(hasMessage: true));
        var withMessage = flow.EnterAsync(hasMessage: true).AsTask();
        Assert.Equal((false, false), (withoutMessage.IsCompleted, withMessage.IsCompleted));

        flow.NoteSuccess();
        Assert.NotNull(await withoutMessage);
        Assert.NotNull(await withMessage);
        Assert.Equal(MessageHandlerState.Running, flow.State);
    }

    [Fact]
    public async Task After_a_try_that_was_malformed_the_next_order_is_tried()
    {
        var attempts = 0;
        _test.Desk.Work = (id, _, _) => (id, attempts) switch
        {
            (1, 0) when attempts++ == 0 => throw new TimeoutException("The warehouse is down."),
            (1, _) => throw Malformed(),
            _ => ValueTask.CompletedTask,
        };
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (true, [Short], 1, Short));
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.Running, "the closed circuit");
        Assert.Equal(1, TestHost.ControlOf(host).DeadLetters);
    }

    [Fact]
    public async Task Attempts_that_fail_while_a_dead_letter_is_refused_do_not_end_the_tries()
    {
        var gate = new TaskCompletionSource();
        var failures = 20;
        _test.Desk.Work = async (_, _, _) =>
        {
            await gate.Task;
            if (Interlocked.Decrement(ref failures) >= 0)
            {
                throw new TimeoutException("The warehouse is down.");
            }
        };
        var host = await _test.StartAsync(static handler =>
            (handler.Concurrency, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (2, [.. Enumerable.Repeat(TimeSpan.FromMilliseconds(1), 100)], null, Short));
        var obstacle = Path.Combine(_test.Orders, "dead");
        await File.WriteAllTextAsync(obstacle, "in the way");

        // One worker has an order, whose attempts fail, when the other one meets a dead letter that cannot be stored.
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => _test.Desk.Begun.Contains(1), "the order is taken");
        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("orders");
        using (var producer = queue.OpenProducer(queue.Schemas[0], verify: false))
        {
            producer.Publish("no order"u8);
        }

        await TestHost.UntilAsync(() => _test.Log.Of(9).Count >= 1, "a refusal");
        gate.SetResult();
        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(1), "the order");
        File.Delete(obstacle);

        await TestHost.UntilAsync(() => TestHost.ControlOf(host) is { DeadLetters: 1, State: MessageHandlerState.Running }, "the dead letter");
    }

    [Fact]
    public async Task Resume_ends_the_pause_after_a_dead_letter_that_could_not_be_stored()
    {
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.RetryDelays, handler.BreakDuration) = ([], TimeSpan.FromHours(1)));
        var control = TestHost.ControlOf(host);
        var obstacle = Path.Combine(_test.Orders, "dead");
        await File.WriteAllTextAsync(obstacle, "in the way");
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => control.State == MessageHandlerState.CircuitOpen, "the pause");
        File.Delete(obstacle);
        control.Resume();

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        Assert.Equal((MessageHandlerState.Running, 1), (control.State, control.DeadLetters));
    }

    [Fact]
    public async Task A_queue_that_cannot_be_read_for_a_moment_pauses_the_handler_and_does_not_end_it()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _test.Desk.Work = (id, _, _) => id == 1 ? new ValueTask(gate.Task) : ValueTask.CompletedTask;
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = 1 << 16;
        }).AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler => handler.BreakDuration = TimeSpan.FromHours(1)));
        await host.StartAsync();
        var control = TestHost.ControlOf(host);

        // The second order begins another segment.
        var publisher = host.Services.GetRequiredService<MessagePublisher<Order>>();
        publisher.Publish(new Order { Id = 1, Customer = new string('x', 64_000) });
        publisher.Publish(new Order { Id = 2, Customer = new string('x', 2_000) });
        await TestHost.UntilAsync(() => _test.Desk.Begun.Contains(1), "the first order");
        using (new HiddenPath(Directory.GetFiles(_test.Orders, "*.segment").Order(StringComparer.Ordinal).Last()))
        {
            gate.SetResult();
            await TestHost.UntilAsync(() => control.State != MessageHandlerState.Running, "the pause");
        }

        Assert.Equal(MessageHandlerState.CircuitOpen, control.State);
        Assert.IsAssignableFrom<IOException>(control.LastFailure);

        // Nothing was attempted, so the log speaks of the queue.
        Assert.Empty(_test.Log.Of(12));
        Assert.Contains("Queue orders cannot be read now.", Assert.Single(_test.Log.Of(19)).Text, StringComparison.Ordinal);
        control.Resume();
        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the second order");
        Assert.Equal(MessageHandlerState.Running, control.State);
    }

    private static MalformedMessageException Malformed() => Assert.Throws<MalformedMessageException>(static () => OrderBufferedMessage.CreateVerified([1, 2, 3]).Id);
}
