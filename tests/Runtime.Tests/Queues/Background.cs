using System.Runtime.ExceptionServices;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Code on a thread of its own, which may block; what it throws comes out of <see cref="Join"/>.</summary>
internal sealed class Background
{
    // Only a thread that hangs needs longer: some do tens of thousands of system calls, on a machine that other tests use too.
    private static readonly TimeSpan HangTimeout = TimeSpan.FromMinutes(5);

    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    public Background(Action action)
    {
        _thread = new Thread(() =>
        {
            try
            {
                action();
            }
            catch (Exception exception)
            {
                _failure = ExceptionDispatchInfo.Capture(exception);
            }
        })
        {
            IsBackground = true,
        };
        _thread.Start();
    }

    public bool IsRunning => _thread.IsAlive;

    public void Join()
    {
        Assert.True(_thread.Join(HangTimeout), "The thread did not end.");
        _failure?.Throw();
    }
}
