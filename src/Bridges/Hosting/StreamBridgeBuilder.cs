using Microsoft.Extensions.Options;

namespace BufferedMessages.Bridges;

/// <summary>A bridge that is being registered and begins at a stream of a broker.</summary>
public sealed class StreamBridgeBuilder
{
    private readonly MessageBridgeBuilder _bridge;
    private readonly Func<IServiceProvider, IMessageStream> _create;

    internal StreamBridgeBuilder(MessageBridgeBuilder bridge, Func<IServiceProvider, IMessageStream> create)
    {
        _bridge = bridge;
        _create = create;
    }

    /// <summary>Registers the bridge to a queue: <see cref="MessageReceiver"/> as a keyed singleton. The bridge opens the queue for itself; the application may open it too.</summary>
    /// <param name="path">The path of the queue's directory. A relative path begins at the content root of the host or, without a host, at the current directory.</param>
    /// <param name="options">The options of the queue; null for the defaults.</param>
    /// <returns>The options of the receiver, which can be set or bound: <c>.Configure(options => ...)</c>, <c>.BindConfiguration("Bridges:Orders")</c>.</returns>
    /// <exception cref="InvalidOperationException">A bridge of this name is registered already.</exception>
    public OptionsBuilder<ReceiverOptions> ToQueue(string path, MessageQueueOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        return _bridge.Add<MessageReceiver, ReceiverOptions>(path, options, _create, static (queue, stream, options) => queue.ReceiveFrom(stream, options));
    }
}
