using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Listeners of meters and spans that throw. They run in the flow of a handler or a request, and must not end it.</summary>
[Collection(Alone.Name)]
public sealed class ListenerTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    // A listener that is not asked disturbs nothing either.
    private static int _throws;

    public enum Fault
    {
        Measurement,
        Sample,
        Started,
        Stopped,
        Exception,
    }

    [Theory]
    [InlineData(Fault.Measurement)]
    [InlineData(Fault.Sample)]
    [InlineData(Fault.Started)]
    [InlineData(Fault.Stopped)]
    [InlineData(Fault.Exception)]
    public async Task A_listener_that_throws_stops_no_handler_and_loses_no_message(Fault fault)
    {
        using var test = new TestHost();
        test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        using (Listen(fault))
        {
            var host = await test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakAfter) = (true, [TimeSpan.Zero], 2));
            TestHost.Publish(host, 1);
            var control = TestHost.ControlOf(host);
            await TestHost.UntilAsync(() => control.State == MessageHandlerState.CircuitOpen && control.DeadLetters == 1, "the dead letter");
            control.Resume();
            TestHost.Publish(host, 2);
            await TestHost.UntilAsync(() => control.Handled == 1, "the second order");
            Assert.Equal((MessageHandlerState.Running, 2, 1), (control.State, control.FailedAttempts, control.DeadLetters));
            await host.StopAsync();
        }

        Assert.NotEqual(0, Volatile.Read(ref _throws));
        Assert.Equal([1, 1, 2], test.Desk.Begun);
        using var letters = DeadLetterQueue.Open(test.Orders, "shipping");
        Assert.Equal("No.", Assert.Single(letters.List()).Reason);
    }

    [Theory]
    [InlineData(Fault.Measurement)]
    [InlineData(Fault.Sample)]
    [InlineData(Fault.Started)]
    [InlineData(Fault.Stopped)]
    [InlineData(Fault.Exception)]
    public async Task A_listener_that_throws_keeps_no_request_from_its_end(Fault fault)
    {
        using var hosts = new PriceHosts();
        hosts.Pricing.Work = static (article, _) => article == 13 ? throw new InvalidDataException("No such article.") : new(new PriceReply { Price = 2 * article });
        using (Listen(fault))
        {
            await hosts.StartResponderAsync();
            var client = await hosts.StartClientAsync();

            Assert.Equal(42, await PriceHosts.AskAsync(client, 21).WaitAsync(Generous));
            await Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, 13).WaitAsync(Generous));
            Assert.Equal(44, await PriceHosts.AskAsync(client, 22).WaitAsync(Generous));
        }

        Assert.NotEqual(0, Volatile.Read(ref _throws));
        Assert.Equal([21, 13, 22], hosts.Pricing.Begun);
    }

    [Theory]
    [InlineData("BufferedMessages", "Queues.PublishSpan")]
    [InlineData("BufferedMessages", "BufferPoolMetrics")]
    [InlineData("BufferedMessages.Hosting", "HandlerMetrics")]
    [InlineData("BufferedMessages.Hosting", "HandlerTraces")]
    [InlineData("BufferedMessages.Hosting", "RequestMetrics")]
    [InlineData("BufferedMessages.Hosting", "RequestTraces")]
    [InlineData("BufferedMessages.Bridges", "BridgeMetrics")]
    [InlineData("BufferedMessages.Bridges", "BridgeTraces")]
    [InlineData("BufferedMessages.Caching", "CacheMetrics")]
    public void A_listener_that_throws_when_it_is_told_of_an_instrument_or_a_source_does_not_end_the_type_that_has_it(string assembly, string type)
    {
        var (thread, calls, isListening) = (Environment.CurrentManagedThreadId, 0, false);
        using var meters = new MeterListener { InstrumentPublished = (_, _) => Hear() };
        using var spans = new ActivityListener
        {
            ShouldListenTo = _ =>
            {
                Hear();
                return false;
            },
        };
        meters.Start();
        ActivitySource.AddActivityListener(spans);
        isListening = true;

        // A process initializes a type once, but each context has its own.
        var anew = new AssemblyLoadContext("anew").LoadFromAssemblyPath(Assembly.Load(assembly).Location);
        RuntimeHelpers.RunClassConstructor(anew.GetType($"{assembly}.{type}", throwOnError: true)!.TypeHandle);
        Assert.NotEqual(0, calls);

        void Hear()
        {
            if (isListening && Environment.CurrentManagedThreadId == thread)
            {
                calls++;
                throw new InvalidOperationException("The listener failed.");
            }
        }
    }

    private static IDisposable Listen(Fault fault)
    {
        Volatile.Write(ref _throws, 0);
        if (fault == Fault.Measurement)
        {
            var meters = new MeterListener
            {
                InstrumentPublished = static (instrument, listener) =>
                {
                    if (instrument.Meter.Name == "BufferedMessages" && !instrument.IsObservable)
                    {
                        listener.EnableMeasurementEvents(instrument);
                    }
                },
            };
            meters.SetMeasurementEventCallback<double>(static (_, _, _, _) => Throw());
            meters.SetMeasurementEventCallback<long>(static (_, _, _, _) => Throw());
            meters.Start();
            return meters;
        }

        var spans = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BufferedMessages",
            Sample = (ref _) =>
            {
                ThrowIf(fault == Fault.Sample);
                return ActivitySamplingResult.AllDataAndRecorded;
            },
            ActivityStarted = _ => ThrowIf(fault == Fault.Started),
            ActivityStopped = _ => ThrowIf(fault == Fault.Stopped),
            ExceptionRecorder = (_, _, ref _) => ThrowIf(fault == Fault.Exception),
        };
        ActivitySource.AddActivityListener(spans);
        return spans;
    }

    private static void ThrowIf(bool isTime)
    {
        if (isTime)
        {
            Throw();
        }
    }

    private static void Throw()
    {
        Interlocked.Increment(ref _throws);
        throw new InvalidOperationException("The listener failed.");
    }
}
