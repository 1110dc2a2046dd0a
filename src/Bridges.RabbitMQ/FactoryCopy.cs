using RabbitMQ.Client;

namespace BufferedMessages.Bridges;

/// <summary>Copies of the user's connection settings.</summary>
internal static class FactoryCopy
{
    /// <summary>Copies every setting but those of recovery and topology, which have no effect without recovery.</summary>
    public static ConnectionFactory WithoutRecovery(ConnectionFactory factory) => new()
    {
        AutomaticRecoveryEnabled = false,
        TopologyRecoveryEnabled = false,
        AmqpUriSslProtocols = factory.AmqpUriSslProtocols,
        AuthMechanisms = factory.AuthMechanisms,
        ClientProperties = new Dictionary<string, object?>(factory.ClientProperties),
        ClientProvidedName = factory.ClientProvidedName,
        ConsumerDispatchConcurrency = 1,
        ContinuationTimeout = factory.ContinuationTimeout,
        CredentialsProvider = factory.CredentialsProvider,
        EndpointResolverFactory = factory.EndpointResolverFactory,
        HandshakeContinuationTimeout = factory.HandshakeContinuationTimeout,
        HostName = factory.HostName,
        MaxInboundMessageBodySize = factory.MaxInboundMessageBodySize,
        Password = factory.Password,
        Port = factory.Port,
        RequestedChannelMax = factory.RequestedChannelMax,
        RequestedConnectionTimeout = factory.RequestedConnectionTimeout,
        RequestedFrameMax = factory.RequestedFrameMax,
        RequestedHeartbeat = factory.RequestedHeartbeat,
        SocketFactory = factory.SocketFactory,
        SocketReadTimeout = factory.SocketReadTimeout,
        SocketWriteTimeout = factory.SocketWriteTimeout,
        Ssl = factory.Ssl,
        UserName = factory.UserName,
        VirtualHost = factory.VirtualHost,
    };
}
