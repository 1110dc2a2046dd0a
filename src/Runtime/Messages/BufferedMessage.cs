using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>placeholder until the next commit.</summary>
public static class BufferedMessage
{
    /// <summary>Makes a view.</summary>
    public static TView Create<TView>(ReadOnlySpan<byte> message)
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Create(default);
}
