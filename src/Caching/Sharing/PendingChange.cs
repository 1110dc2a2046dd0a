using System.Buffers;

namespace BufferedMessages.Caching;

/// <summary>A change on its way to the owner, until it is disposed. For one caller.</summary>
internal sealed class PendingChange : IDisposable
{
    private readonly OwnerLine _line;
    private readonly long _number;
    private readonly string? _contentFile;
    private readonly TaskCompletionSource<ChangeAnswer?> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly byte[] _bytes;
    private readonly int _length;

    /// <param name="line">The connection to the owner.</param>
    /// <param name="head">The change, with its number.</param>
    /// <param name="contentFile">The file with the key and the value; null when they follow the head.</param>
    /// <param name="key">The key, unless it is in the file.</param>
    /// <param name="value">The value, unless it is in the file.</param>
    public PendingChange(OwnerLine line, in ChangeHead head, string? contentFile, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        _line = line;
        _number = head.Number;
        _contentFile = contentFile;
        _length = ChangeHead.Bytes + key.Length + value.Length + ChangeHead.CheckBytes;
        _bytes = ArrayPool<byte>.Shared.Rent(_length);
        head.Write(_bytes.AsSpan(0, _length), key, value);
    }

    /// <summary>Takes the answer; null when the line was given up.</summary>
    public void Answer(ChangeAnswer? answer) => _answer.TrySetResult(answer);

    /// <summary>Sends the change and waits for its answer in this thread.</summary>
    /// <param name="isWaiting">Called repeatedly; false ends the wait.</param>
    /// <returns>Null when the wait has ended, or the line was given up: whether the change was made is not known.</returns>
    /// <exception cref="DiskFullException">The disk has no room for the change.</exception>
    public ChangeAnswer? Await(Func<bool> isWaiting)
    {
        while (!TryPublish(OwnerLine.Look))
        {
            if (IsGivenUp || !isWaiting())
            {
                return null;
            }
        }

        while (!_answer.Task.Wait(OwnerLine.Look))
        {
            if (!isWaiting())
            {
                return null;
            }
        }

        return _answer.Task.Result;
    }

    /// <summary>Sends the change and waits for its answer without a thread.</summary>
    /// <param name="isWaiting">Called repeatedly until the change is sent; false ends the wait.</param>
    /// <param name="deadline">The end of the wait, as <see cref="Environment.TickCount64"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="Await"/>
    public async ValueTask<ChangeAnswer?> AwaitAsync(Func<bool> isWaiting, long deadline, CancellationToken cancellationToken)
    {
        var wait = default(FlightWait);
        while (!TryPublish(TimeSpan.Zero))
        {
            if (IsGivenUp || !isWaiting())
            {
                return null;
            }

            await Task.Delay(wait.Next(), cancellationToken).ConfigureAwait(false);
        }

        try
        {
            var rest = TimeSpan.FromMilliseconds(Math.Max(0, deadline - Environment.TickCount64));
            return await _answer.Task.WaitAsync(rest, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return null;
        }
    }

    public void Dispose()
    {
        _line.Forget(_number);
        ArrayPool<byte>.Shared.Return(_bytes);
        if (_contentFile is not null)
        {
            CacheFiles.TryDelete(_contentFile);
        }
    }

    private bool IsGivenUp => _answer.Task.IsCompleted;

    private bool TryPublish(TimeSpan timeout) => _line.TryPublish(_bytes.AsSpan(0, _length), timeout);
}
