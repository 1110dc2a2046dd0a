using System.Threading.Channels;

namespace BufferedMessages.Tool;

/// <summary>The keys that a person presses. A thread reads them, so that the terminal shows none of them between two reads; it ends with the process.</summary>
internal sealed class TopKeys
{
    private readonly Channel<ConsoleKeyInfo> _keys = Channel.CreateUnbounded<ConsoleKeyInfo>();
    private Task<bool>? _next;

    private TopKeys() => new Thread(Read) { IsBackground = true, Name = "keys" }.Start();

    /// <summary>Begins to read.</summary>
    public static TopKeys Start() => new();

    /// <summary>Waits for a key.</summary>
    /// <param name="timeout">The longest time to wait.</param>
    /// <param name="token">Ends the wait.</param>
    /// <returns>The key; null if none was pressed.</returns>
    /// <exception cref="OperationCanceledException">The token.</exception>
    public async Task<ConsoleKeyInfo?> NextAsync(TimeSpan timeout, CancellationToken token)
    {
        _next ??= _keys.Reader.WaitToReadAsync(CancellationToken.None).AsTask();
        var pause = Task.Delay(timeout, token);

        // After the end of the input there are no more keys, and only the time passes.
        await (_next.IsCompletedSuccessfully && !_next.Result ? pause : Task.WhenAny(_next, pause)).ConfigureAwait(false);
        token.ThrowIfCancellationRequested();
        if (!_keys.Reader.TryRead(out var key))
        {
            return null;
        }

        _next = null;
        return key;
    }

    private void Read()
    {
        try
        {
            while (true)
            {
                _keys.Writer.TryWrite(Console.ReadKey(intercept: true));
            }
        }
        catch (Exception exception) when (exception is InvalidOperationException or IOException)
        {
            // The terminal is gone.
            _keys.Writer.Complete();
        }
    }
}
