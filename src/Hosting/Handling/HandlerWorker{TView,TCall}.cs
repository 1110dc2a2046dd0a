using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Hosting;

/// <summary>A worker of a handler of views of one type.</summary>
internal sealed class HandlerWorker<TView, TCall> : HandlerWorker
    where TView : IQueuePayload<TView>, allows ref struct
    where TCall : struct, IHandlerCall<TView>
{
    private const int MostInTurn = 4096;

    private readonly MessageConsumer<TView> _consumer;
    private readonly AsyncServiceScope _scope;
    private readonly Func<IServiceProvider, TCall> _resolve;
    private readonly LogReader _reader;
    private readonly TCall _call;

    /// <param name="run">The handler.</param>
    /// <param name="queue">Its queue, in which a consumer is opened.</param>
    /// <param name="services">The services, in which a scope is opened.</param>
    /// <param name="resolve">Gets the handler from the services of a scope.</param>
    public HandlerWorker(HandlerRun run, MessageQueue queue, IServiceProvider services, Func<IServiceProvider, TCall> resolve)
        : base(run)
    {
        _resolve = resolve;
        Services = services;
        _scope = services.CreateAsyncScope();
        try
        {
            // With a scope for each attempt, this checks that the handler can be created.
            _call = resolve(_scope.ServiceProvider);
            _consumer = queue.OpenConsumer<TView>(run.Handler.Name, OptionsOf(run.Handler.Options));
            _reader = _consumer.Reader;
        }
        catch
        {
            LeaveAsync().AsTask().GetAwaiter().GetResult();
            throw;
        }
    }

    protected override LogReader Reader => _reader;

    protected override IServiceProvider Services { get; }

    public override void Close() => _consumer.Dispose();

    protected override DrainEnd Drain(long loop, bool hasMessage)
    {
        var reader = _reader;
        var flow = Run.Flow;
        var call = _call;
        var stop = Run.Handling;
        var needsCare = NeedsCare;
        try
        {
            for (var i = 0; i < MostInTurn; i++)
            {
                if (!hasMessage && !reader.TryStep(loop))
                {
                    return new DrainEnd(DrainEndKind.Empty);
                }

                hasMessage = false;
                var delivery = reader.Number;
                if (needsCare || reader.IsRedelivery(delivery))
                {
                    return new DrainEnd(DrainEndKind.NeedsCare);
                }

                // The attempt begins before the message is opened, which may fail.
                Attempt = 1;
                Number++;
                var task = call.Call(new Delivery<TView>(reader, delivery).Message, new MessageContext(this, Number), stop);
                if (!task.IsCompletedSuccessfully)
                {
                    return new DrainEnd(DrainEndKind.Pending, task);
                }

                // A task of a pooled source is used again after this.
                task.GetAwaiter().GetResult();
                Number++;
                Handled++;
                if (flow.HasFailures)
                {
                    flow.NoteSuccess();
                }
            }

            return new DrainEnd(DrainEndKind.Long);
        }
        catch (Exception exception) when (IsHandling)
        {
            Number++;
            return new DrainEnd(DrainEndKind.Failed, Failure: UnreadableFailureException.Replace(exception));
        }
    }

    protected override ValueTask Invoke(IServiceProvider? services)
    {
        var call = services is null ? _call : _resolve(services);
        return call.Call(new Delivery<TView>(Reader, Reader.Number).Message, new MessageContext(this, Number), Run.Handling);
    }

    protected override ValueTask LeaveScopeAsync() => _scope.DisposeAsync();

    private static ConsumerOptions OptionsOf(MessageHandlerOptions options) => new()
    {
        Shared = !options.Ordered,
        MessagesPerCommit = options.MessagesPerCommit,
        Start = options.Start,
        Wait = options.Wait,
    };
}
