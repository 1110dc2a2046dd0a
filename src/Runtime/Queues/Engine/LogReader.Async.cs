using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <content>Waits that block no thread.</content>
internal abstract partial class LogReader
{
    /// <summary>Waits for a record without blocking a thread.</summary>
    /// <returns>False if there is none within the timeout.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> WaitToReadAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        WaitLadder.RequireTimeout(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        BeginRead();
        try
        {
            return timeout == TimeSpan.Zero ? TryTakeNow() : TryProceed() || await _waits.AwaitAsync(timeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Rollback();
            _gate.Exit(this);
        }
    }

    /// <summary>Waits as <see cref="AwaitStep"/> does, without blocking a thread.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask AwaitStepAsync(long loop, CancellationToken cancellationToken)
    {
        RequireLoop(loop);
        FinishTaken();
        CloseNumber();
        cancellationToken.ThrowIfCancellationRequested();
        await _waits.AwaitAsync(Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false);
        OpenDelivery();
    }

    /// <summary>Ends a loop as <see cref="EndLoop(long, CancellationTokenRegistration)"/> does, without blocking a thread.</summary>
    public async ValueTask EndLoopAsync(long loop, CancellationTokenRegistration registration)
    {
        if (_loop == loop)
        {
            await registration.DisposeAsync().ConfigureAwait(false);
            EndLoop();
        }
    }
}
