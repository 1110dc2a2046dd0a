using Microsoft.Extensions.Options;

namespace BufferedMessages.Bridges;

/// <summary>A bridge that is being registered and begins at a queue.</summary>
public sealed class QueueBridgeBuilder
{
    private readonly MessageBridgeBuilder _bridge;
    private readonly string _path;
    private readonly MessageQueueOptions? _options;

    internal QueueBridgeBuilder(MessageBridgeBuilder bridge, string path, MessageQueueOptions? options)
    {
        _bridge = bridge;
        _path = path;
        _options = options;
    }

    /// <summary>Registers the bridge to a stream of a broker: <see cref="MessageForwarder"/> as a keyed singleton.</summary>
    /// <param name="create">Creates the stream when the bridge is opened. The bridge disposes it with the services.</param>
    /// <returns>The options of the forwarder, which can be set or bound: <c>.Configure(options => ...)</c>, <c>.BindConfiguration("Bridges:Orders")</c>.</returns>
    /// <exception cref="InvalidOperationException">A bridge of this name is registered already.</exception>
    public OptionsBuilder<ForwarderOptions> ToStream(Func<IServiceProvider, IMessageStream> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        return _bridge.Add<MessageForwarder, ForwarderOptions>(_path, _options, create, static (queue, stream, options) => queue.ForwardTo(stream, options));
    }
}
