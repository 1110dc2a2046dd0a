using System.Buffers;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>A pooled stream and a memory stream that the same is done to; whatever can be seen of them must be the same.</summary>
internal sealed class StreamComparison(PooledStream stream) : IDisposable
{
    private readonly MemoryStream _model = new();
    private byte _next = 1;

    public void Apply(StreamOperation operation)
    {
        var expected = Outcome(() => OnModel(operation));
        var next = _next;
        _next = Advanced(operation, next);
        var actual = Outcome(() => OnStream(operation, next));
        Assert.Equal(expected, actual);
        Assert.Equal((_model.Position, _model.Length), (stream.Position, stream.Length));
    }

    public void AssertSameContent() => Assert.True(_model.ToArray().AsSpan().SequenceEqual(stream.ToArray()));

    public void Dispose()
    {
        stream.Dispose();
        _model.Dispose();
    }

    private static string Outcome(Func<object?> action)
    {
        try
        {
            return action() switch
            {
                byte[] bytes => Convert.ToHexString(bytes),
                var value => $"{value}",
            };
        }
        catch (Exception exception) when (exception is IOException or ArgumentException)
        {
            return exception.GetType().Name;
        }
    }

    // Every byte that is written says by its value which write it was.
    private static byte[] Content(int count, byte first)
    {
        var bytes = new byte[Math.Max(0, count)];
        for (var i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)(first + i);
        }

        return bytes;
    }

    private static byte Advanced(StreamOperation operation, byte next) => (byte)(next + operation.First + 7);

    private object? OnModel(StreamOperation operation)
    {
        var (kind, first, second) = operation;
        switch (kind)
        {
            case StreamOperationKind.Write or StreamOperationKind.WriteArray or StreamOperationKind.WriteAsync:
                _model.Write(Content(first, _next));
                return null;
            case StreamOperationKind.WriteInPlace or StreamOperationKind.WriteInMemory:
                // Nothing is written, not even the gap, when nothing is advanced by.
                if (Math.Min(Math.Abs(first), Math.Abs(second)) is var count and > 0)
                {
                    _model.Write(Content(count, _next));
                }

                return null;
            case StreamOperationKind.Read or StreamOperationKind.ReadArray or StreamOperationKind.ReadAsync:
                var buffer = new byte[Math.Max(0, first)];
                return buffer[.._model.Read(buffer)];
            case StreamOperationKind.WriteByte or StreamOperationKind.ReadByte or StreamOperationKind.SetPosition or StreamOperationKind.SetLength
                or StreamOperationKind.SeekBegin or StreamOperationKind.SeekCurrent or StreamOperationKind.SeekEnd:
                return OnEither(_model, kind, first);
            case StreamOperationKind.SetCapacity:
                return first < _model.Length ? nameof(ArgumentOutOfRangeException) : null;
            case StreamOperationKind.CopyTo or StreamOperationKind.CopyToAsync:
                using (var copy = new MemoryStream())
                {
                    _model.CopyTo(copy);
                    return copy.ToArray();
                }

            case StreamOperationKind.CopyToItself:
                _model.CopyTo(_model);
                return null;
            case StreamOperationKind.Detach:
                var content = _model.ToArray();
                _model.SetLength(0);
                return content;
            default:
                return _model.ToArray();
        }
    }

    private object? OnStream(StreamOperation operation, byte next)
    {
        var (kind, first, second) = operation;
        switch (kind)
        {
            case StreamOperationKind.Write:
                stream.Write(Content(first, next).AsSpan());
                return null;
            case StreamOperationKind.WriteArray:
                stream.Write(Content(first, next), 0, Math.Max(0, first));
                return null;
            case StreamOperationKind.WriteAsync:
                AssertCompleted(stream.WriteAsync(Content(first, next)).AsTask());
                return null;
            case StreamOperationKind.WriteInPlace or StreamOperationKind.WriteInMemory:
                WriteInPlace(kind, Math.Abs(first), Math.Min(Math.Abs(first), Math.Abs(second)), next);
                return null;
            case StreamOperationKind.Read:
                var span = new byte[Math.Max(0, first)];
                return span[..stream.Read(span.AsSpan())];
            case StreamOperationKind.ReadArray:
                var array = new byte[Math.Max(0, first)];
                return array[..stream.Read(array, 0, array.Length)];
            case StreamOperationKind.ReadAsync:
                var memory = new byte[Math.Max(0, first)];
                var read = stream.ReadAsync(memory, 0, memory.Length);
                Assert.True(read.IsCompletedSuccessfully);
                return memory[..read.GetAwaiter().GetResult()];
            case StreamOperationKind.WriteByte or StreamOperationKind.ReadByte or StreamOperationKind.SetPosition or StreamOperationKind.SetLength
                or StreamOperationKind.SeekBegin or StreamOperationKind.SeekCurrent or StreamOperationKind.SeekEnd:
                return OnEither(stream, kind, first);
            case StreamOperationKind.SetCapacity:
                stream.Capacity = first;
                Assert.True(stream.Capacity >= first);
                return null;
            case StreamOperationKind.CopyToItself:
                stream.CopyTo(stream);
                return null;
            default:
                return Content(kind);
        }
    }

    private static object? OnEither(Stream either, StreamOperationKind kind, int first)
    {
        switch (kind)
        {
            case StreamOperationKind.WriteByte:
                either.WriteByte((byte)first);
                return null;
            case StreamOperationKind.ReadByte:
                return either.ReadByte();
            case StreamOperationKind.SetPosition:
                return either.Position = first;
            case StreamOperationKind.SetLength:
                either.SetLength(first);
                return null;
            case StreamOperationKind.SeekBegin:
                return either.Seek(first, SeekOrigin.Begin);
            case StreamOperationKind.SeekCurrent:
                return either.Seek(first, SeekOrigin.Current);
            default:
                return either.Seek(first, SeekOrigin.End);
        }
    }

    private byte[] Content(StreamOperationKind kind)
    {
        switch (kind)
        {
            case StreamOperationKind.ToArray:
                return stream.ToArray();
            case StreamOperationKind.CopyTo or StreamOperationKind.CopyToAsync or StreamOperationKind.WriteTo:
                return Copied(kind);
            case StreamOperationKind.GetContiguousMemory:
                return stream.GetContiguousMemory().ToArray();
            case StreamOperationKind.GetReadOnlySequence:
                return stream.GetReadOnlySequence().ToArray();
            case StreamOperationKind.AsMemoryStream:
                using (var view = stream.AsMemoryStream())
                using (var copy = new MemoryStream())
                {
                    view.CopyTo(copy);
                    return copy.ToArray();
                }

            default:
                using (var detached = stream.DetachSequence())
                {
                    return detached.Sequence.ToArray();
                }
        }
    }

    private byte[] Copied(StreamOperationKind kind)
    {
        using var copy = new MemoryStream();
        switch (kind)
        {
            case StreamOperationKind.CopyTo:
                stream.CopyTo(copy);
                break;
            case StreamOperationKind.CopyToAsync:
                AssertCompleted(stream.CopyToAsync(copy));
                break;
            default:
                stream.WriteTo(copy);
                break;
        }

        return copy.ToArray();
    }

    // Also what is not advanced by is written: it must not be seen.
    private void WriteInPlace(StreamOperationKind kind, int hint, int count, byte next)
    {
        var span = kind == StreamOperationKind.WriteInPlace ? stream.GetSpan(hint) : stream.GetMemory(hint).Span;
        Assert.True(span.Length >= Math.Max(1, hint));
        span.Fill(0xEE);
        Content(count, next).CopyTo(span);
        stream.Advance(count / 2);
        stream.Advance(count - (count / 2));
    }

    private static void AssertCompleted(Task task)
    {
        Assert.True(task.IsCompletedSuccessfully);
        task.GetAwaiter().GetResult();
    }
}
