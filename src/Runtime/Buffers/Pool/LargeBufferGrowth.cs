namespace BufferedMessages;

/// <summary>The sizes of a <see cref="BufferPool"/>'s buffers above its blocks.</summary>
public enum LargeBufferGrowth
{
    /// <summary>Each size is twice the one before: few sizes, so that a free buffer is found often; at most half of a buffer is unused.</summary>
    Exponential,

    /// <summary>All multiples of the first size: little of a buffer is unused, but buffers of different multiples do not replace each other.</summary>
    Linear,
}
