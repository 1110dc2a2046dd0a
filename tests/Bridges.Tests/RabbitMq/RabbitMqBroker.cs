using BufferedMessages.Bridges.Torture;

namespace BufferedMessages.Bridges.Tests;

/// <summary>One broker for all tests of the collection, which run one after the other. A test that ends the broker starts it again.</summary>
public sealed class RabbitMqBroker : IAsyncLifetime
{
    public const string Collection = "RabbitMQ";

    private PrivateRabbitMq? _broker;

    internal PrivateRabbitMq Broker => _broker!;

    public async Task InitializeAsync()
    {
        if (PrivateRabbitMq.IsInstalled)
        {
            _broker = await PrivateRabbitMq.StartAsync();
        }
    }

    public async Task DisposeAsync()
    {
        if (_broker is not null)
        {
            await _broker.DisposeAsync();
        }
    }

    /// <summary>A stream with a name that no other test has.</summary>
    internal RabbitMqMessageStream NewStream(RabbitMqMessageStreamOptions? options = null) => new(Broker.Uri, $"test-{Guid.NewGuid():N}", options);

    /// <summary>The same stream with other settings, as another program would open it.</summary>
    internal RabbitMqMessageStream Again(RabbitMqMessageStream stream, RabbitMqMessageStreamOptions? options = null) => new(Broker.Uri, stream.Name, options);
}

[CollectionDefinition(RabbitMqBroker.Collection)]
public sealed class RabbitMqCollection : ICollectionFixture<RabbitMqBroker>;
