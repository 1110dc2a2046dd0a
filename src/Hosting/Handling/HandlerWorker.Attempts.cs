using System.Diagnostics;
using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Hosting;

/// <content>The messages that need more than one call that completes at once: attempts, redeliveries, dead letters, spans and durations.</content>
internal abstract partial class HandlerWorker
{
    // The attempts before the open one, of this worker; 0 between messages.
    private int _retries;

    /// <summary>Whether no attempt follows if the open one fails.</summary>
    public override bool IsLastAttempt => _retries >= Options.Delays.Count;

    /// <summary>The services from which the scopes of attempts are created.</summary>
    protected abstract IServiceProvider Services { get; }

    /// <summary>Whether each attempt has more to do than the call of the handler.</summary>
    protected bool NeedsCare => Options.ScopePerMessage || HandlerMetrics.IsTimed || HandlerTraces.IsTraced;

    private HandlerFlow Flow => Run.Flow;

    /// <summary>Waits for a handler that has begun with a message.</summary>
    private async ValueTask<Next> FinishAsync(ValueTask pending)
    {
        Exception? failure = null;
        try
        {
            await pending.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            failure = UnreadableFailureException.Replace(exception);
        }

        Number++;
        if (failure is not null)
        {
            return await HandleWithCareAsync(failure).ConfigureAwait(false);
        }

        NoteHandled();
        return Next.GoOn;
    }

    /// <summary>Handles the message in as many attempts as it gets.</summary>
    /// <param name="failure">The failure of the first attempt; null if the message is not begun.</param>
    private async ValueTask<Next> HandleWithCareAsync(Exception? failure)
    {
        var isNoted = false;
        if (failure is null)
        {
            isNoted = IsRedelivery;
            var (begun, deaths) = isNoted ? NoteAttempt() : default;
            Attempt = begun + 1;
            if (deaths >= Options.MaxDeaths)
            {
                return Settled(await SettleUnhandledAsync(failure: null, begun, $"Its process died in each of {deaths} attempts.").ConfigureAwait(false), isNoted);
            }

            failure = await AttemptAsync().ConfigureAwait(false);
        }

        for (var retry = 0; failure is not null; retry++)
        {
            // A handler that was cancelled has not failed.
            if (Run.Handling.IsCancellationRequested)
            {
                return Settled(Next.GiveUp, isNoted);
            }

            FailedAttempts++;
            if (failure is MalformedMessageException)
            {
                Flow.NoteMalformed();
                return Settled(await SettleUnhandledAsync(failure, Attempt, ReasonOf(failure)).ConfigureAwait(false), isNoted);
            }

            Flow.NoteFailure(failure);
            if (retry >= Options.Delays.Count)
            {
                return Settled(await SettleUnhandledAsync(failure, Attempt, ReasonOf(failure)).ConfigureAwait(false), isNoted);
            }

            if (!await WaitToRetryAsync(failure, Options.Delays[retry]).ConfigureAwait(false))
            {
                return Settled(Next.GiveUp, isNoted);
            }

            Attempt++;
            _retries = retry + 1;
            failure = await AttemptAsync().ConfigureAwait(false);
        }

        NoteHandled();
        return Settled(Next.GoOn, isNoted);
    }

    // A user's exception class may return null as its message.
    private static string ReasonOf(Exception failure) => failure.Message ?? "";

    private void NoteHandled()
    {
        Handled++;
        if (Flow.HasFailures)
        {
            Flow.NoteSuccess();
        }
    }

    /// <summary>Makes one attempt.</summary>
    /// <returns>Its failure; null if the message is handled.</returns>
    private async ValueTask<Exception?> AttemptAsync()
    {
        var span = HandlerTraces.IsTraced ? StartSpan() : null;
        var start = HandlerMetrics.IsTimed ? Stopwatch.GetTimestamp() : 0;
        Exception? failure = null;
        Number++;
        try
        {
            if (Options.ScopePerMessage)
            {
                await InvokeInScopeAsync().ConfigureAwait(false);
            }
            else
            {
                await Invoke(services: null).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            failure = UnreadableFailureException.Replace(exception);
            HandlerTraces.SetFailure(span, failure);
        }

        Number++;
        if (start != 0)
        {
            HandlerMetrics.RecordAttempt(Run.QueueLabel, HandlerName, Stopwatch.GetElapsedTime(start), failure);
        }

        QuietTelemetry.Stop(span);
        return failure;
    }

    private async ValueTask InvokeInScopeAsync()
    {
        var scope = Services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            await Invoke(scope.ServiceProvider).ConfigureAwait(false);
        }
    }

    private Activity? StartSpan()
    {
        ActivityContext published = default;
        try
        {
            published = Properties.TraceContext;
        }
        catch (QueueCorruptedException)
        {
            // The span has no link then; the handler finds out if it reads the properties.
        }

        return HandlerTraces.Start(this, Run.QueueLabel, published, Reader.Payload(Reader.Number).Length, Options.ContinueTrace);
    }

    /// <summary>Waits before the next attempt, and as long as the circuit is open.</summary>
    /// <returns>False if the handler stops.</returns>
    private async ValueTask<bool> WaitToRetryAsync(Exception failure, TimeSpan delay)
    {
        Run.Handler.Logger.Retrying(failure, QueueName, HandlerName, Position, Attempt, delay.TotalMilliseconds);
        if (!await DelayAsync(delay).ConfigureAwait(false) || await Flow.EnterAsync(hasMessage: true).ConfigureAwait(false) is null)
        {
            return false;
        }

        HandlerMetrics.CountRetry(Run.QueueLabel, HandlerName);
        return true;
    }

    // False if the handler stops.
    private async ValueTask<bool> DelayAsync(TimeSpan delay)
    {
        try
        {
            await Task.Delay(delay, Run.Handler.Time, Flow.Stopping).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    /// <summary>Settles a message that could not be handled: it becomes a dead letter, unless it can be settled otherwise or the handler keeps none. Tries until that succeeds, or the handler stops.</summary>
    private async ValueTask<Next> SettleUnhandledAsync(Exception? failure, int attempts, string reason)
    {
        if (Run.Unhandled?.TrySettle(this, failure, reason) == true)
        {
            return Next.GoOn;
        }

        if (!Options.DeadLetters)
        {
            HandlerMetrics.CountDropped(Run.QueueLabel, HandlerName, UnreadableFailureException.ErrorTypeOf(failure));
            Run.Handler.Logger.Dropped(failure, QueueName, HandlerName, Position, attempts, reason);
            return Next.GoOn;
        }

        var isRefused = false;
        while (TryStoreDeadLetter(failure, attempts, reason) is { } refusal)
        {
            if (refusal is OperationCanceledException && Flow.Stopping.IsCancellationRequested)
            {
                return Next.GiveUp;
            }

            isRefused = true;
            Run.Handler.Logger.DeadLetterNotStored(refusal, QueueName, HandlerName, Position, Options.BreakDuration);
            Flow.Break(refusal);
            await Flow.AwaitBreakAsync().ConfigureAwait(false);
            if (await Flow.EnterAsync(hasMessage: true).ConfigureAwait(false) is null)
            {
                return Next.GiveUp;
            }
        }

        if (isRefused)
        {
            Flow.NoteSuccess();
        }

        DeadLetters++;
        HandlerMetrics.CountDeadLetter(Run.QueueLabel, HandlerName, UnreadableFailureException.ErrorTypeOf(failure));
        Run.Handler.Logger.DeadLettered(failure, QueueName, HandlerName, Position, attempts, reason);
        return Next.GoOn;
    }

    private Exception? TryStoreDeadLetter(Exception? failure, int attempts, string reason)
    {
        try
        {
            MessageProperties properties;
            try
            {
                properties = Properties.ToProperties();
            }
            catch (QueueCorruptedException)
            {
                properties = new MessageProperties();
            }

            Run.DeadLetters.Add(Reader.Payload(Reader.Number), properties, Id, attempts, reason, failure, Flow.Stopping);
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    /// <summary>Notes an attempt at a redelivered message.</summary>
    /// <returns>How many were begun before, and in how many of them the process died; one and none if the notes cannot be used.</returns>
    private (int Begun, int Deaths) NoteAttempt()
    {
        try
        {
            return Run.Attempts.Begin(Id);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Run.Handler.Logger.AttemptNotNoted(exception, QueueName, HandlerName, Position);
            return (1, 0);
        }
    }

    /// <summary>Ends the notes about the message: an attempt that was given up is not a death.</summary>
    private Next Settled(Next next, bool isNoted)
    {
        _retries = 0;
        if (!isNoted && next == Next.GoOn)
        {
            return next;
        }

        try
        {
            if (next == Next.GoOn)
            {
                Run.Attempts.Forget(Id);
            }
            else if (isNoted)
            {
                Run.Attempts.TakeBack(Id);
            }
            else if (!Options.Ordered)
            {
                // An exclusive name that was closed delivers the message as a new one.
                Run.Attempts.TakeFirstBack(Id);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Run.Handler.Logger.AttemptNotNoted(exception, QueueName, HandlerName, Position);
        }

        return next;
    }
}
