namespace BufferedMessages;

/// <summary>The sizes of a <see cref="BufferPool"/>'s buffers above its blocks.</summary>
public enum LargeBufferGrowth
{
    /// <summary>Each size is twice the one before. With few sizes, a free buffer is found more often; at most half of a buffer is unused.</summary>
    Exponential,

    /// <summary>The sizes are the multiples of the first one. Little of a buffer is unused, but a buffer of one multiple cannot serve for another.</summary>
    Linear,
}
