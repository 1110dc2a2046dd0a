namespace BufferedMessages;

/// <summary>The reason why a returned buffer was not kept.</summary>
public enum BufferDropReason
{
    /// <summary>Free buffers would take more than <see cref="BufferPoolOptions.MaxFreeBytes"/>.</summary>
    OverLimit,

    /// <summary>It is larger than the largest size, which is <see cref="BufferPoolOptions.MaxPooledBufferBytes"/> or the size below it.</summary>
    TooLarge,

    /// <summary>It was disposed while a handle still pinned it: native code may continue to write to it.</summary>
    StillPinned,

    /// <summary>It was changed after it had been returned, as <see cref="BufferPoolOptions.PoisonOnReturn"/> found.</summary>
    ChangedAfterReturn,
}
