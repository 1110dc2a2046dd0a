namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>What a test does to a stream.</summary>
public enum StreamOperationKind
{
    Write,
    WriteArray,
    WriteAsync,
    WriteByte,
    WriteInPlace,
    WriteInMemory,
    Read,
    ReadArray,
    ReadAsync,
    ReadByte,
    SeekBegin,
    SeekCurrent,
    SeekEnd,
    SetPosition,
    SetLength,
    SetCapacity,
    ToArray,
    CopyTo,
    CopyToAsync,
    CopyToItself,
    WriteTo,
    GetContiguousMemory,
    GetReadOnlySequence,
    AsMemoryStream,
    Detach,
}

/// <summary>An operation with its two numbers, of which it uses what it needs.</summary>
public sealed record StreamOperation(StreamOperationKind Kind, int First, int Second);
