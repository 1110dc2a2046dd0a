using System.Collections;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The parts that need no broker.</summary>
public sealed class RabbitMqPartsTests
{
    [Fact]
    public void Confirms_count_as_far_as_no_one_is_missing()
    {
        var confirms = new PrefixCounter();
        confirms.Add(2, andBefore: false);
        confirms.Add(3, andBefore: false);
        Assert.Equal(0, confirms.Count);

        confirms.Add(1, andBefore: false);

        Assert.Equal(3, confirms.Count);
    }

    [Fact]
    public void A_confirm_of_all_before_closes_every_gap_before_it()
    {
        var confirms = new PrefixCounter();
        confirms.Add(3, andBefore: false);
        confirms.Add(6, andBefore: false);

        confirms.Add(5, andBefore: true);

        Assert.Equal(6, confirms.Count);
    }

    [Fact]
    public void A_confirm_that_comes_twice_counts_once()
    {
        var confirms = new PrefixCounter();
        confirms.Add(1, andBefore: false);
        confirms.Add(1, andBefore: true);

        Assert.Equal(1, confirms.Count);
    }

    [Fact]
    public void Every_setting_of_a_connection_is_copied_but_those_of_recovery()
    {
        var factory = new ConnectionFactory();
        var properties = typeof(ConnectionFactory).GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property => property is { CanRead: true, CanWrite: true } && property.Name is not (nameof(ConnectionFactory.Uri) or nameof(ConnectionFactory.Endpoint)))
            .ToArray();
        foreach (var property in properties)
        {
            property.SetValue(factory, Another(property, property.GetValue(factory)));
        }

        var copy = FactoryCopy.WithoutRecovery(factory);

        string[] own =
        [
            nameof(ConnectionFactory.AutomaticRecoveryEnabled), nameof(ConnectionFactory.TopologyRecoveryEnabled), nameof(ConnectionFactory.TopologyRecoveryFilter),
            nameof(ConnectionFactory.TopologyRecoveryExceptionHandler), nameof(ConnectionFactory.NetworkRecoveryInterval), nameof(ConnectionFactory.ConsumerDispatchConcurrency),
        ];
        Assert.False(copy.AutomaticRecoveryEnabled);
        Assert.All(properties.Where(property => !own.Contains(property.Name)), property => Assert.Equal(property.GetValue(factory), property.GetValue(copy)));
    }

    [Fact]
    public void The_factory_of_the_user_is_not_changed()
    {
        var factory = new ConnectionFactory();
        _ = new RabbitMqMessageStream(factory, "any");

        Assert.True(factory.AutomaticRecoveryEnabled);
    }

    [Fact]
    public async Task The_settings_of_the_user_are_copied()
    {
        var options = new RabbitMqMessageStreamOptions { MaxBodyBytes = 1_000 };
        await using var stream = new RabbitMqMessageStream(new Uri("amqp://localhost"), "any", options);
        options.MaxBodyBytes = 2_000;

        Assert.Equal(1_000, stream.MaxBodyBytes);
    }

    [Fact]
    public void Settings_out_of_range_are_refused()
    {
        var uri = new Uri("amqp://localhost");
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { PrefetchCount = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { PrefetchCount = 65_536 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { MaxAge = TimeSpan.Zero }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { MaxBodyBytes = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { MaxLengthBytes = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { MaxSegmentBytes = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { InitialClusterSize = 0 }));
    }

    [Fact]
    public void The_least_and_the_largest_settings_are_accepted()
    {
        var uri = new Uri("amqp://localhost");
        var least = new RabbitMqMessageStreamOptions { PrefetchCount = 1, MaxAge = TimeSpan.FromTicks(1), MaxBodyBytes = 1, MaxLengthBytes = 1, MaxSegmentBytes = 1, InitialClusterSize = 1 };

        Assert.Equal(1, new RabbitMqMessageStream(uri, "any", least).MaxBodyBytes);
        Assert.Equal("any", new RabbitMqMessageStream(uri, "any", new RabbitMqMessageStreamOptions { PrefetchCount = ushort.MaxValue }).Name);
    }

    [Theory]
    [InlineData(403, "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN.", typeof(UnauthorizedAccessException))]
    [InlineData(530, "NOT_ALLOWED - access to vhost 'shop' refused for user 'guest'", typeof(UnauthorizedAccessException))]
    [InlineData(530, "NOT_ALLOWED - access to vhost 'shop' refused for user 'guest': connection limit (5) is reached", typeof(IOException))]
    [InlineData(530, "NOT_ALLOWED - Connection refused for user 'guest': user connection limit (5) is reached", typeof(IOException))]
    [InlineData(530, "NOT_ALLOWED - vhost 'shop' not found", typeof(IOException))]
    [InlineData(541, "INTERNAL_ERROR - access to vhost 'shop' refused for user 'guest': vhost 'shop' is down", typeof(IOException))]
    [InlineData(320, "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'", typeof(IOException))]
    public void A_connection_that_the_broker_refuses_for_the_moment_is_not_one_of_a_wrong_user(int code, string text, Type expected)
    {
        var refused = new OperationInterruptedException(new ShutdownEventArgs(ShutdownInitiator.Peer, (ushort)code, text));

        var failure = BrokerFailure.OfOpening("any", new AmqpTcpEndpoint("broker.example", 5672), new BrokerUnreachableException(new AggregateException(refused)));

        Assert.IsType(expected, failure);
        Assert.Contains("broker.example", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(403, "ACCESS_REFUSED - access to exchange refused", typeof(UnauthorizedAccessException))]
    [InlineData(404, "NOT_FOUND - no queue", typeof(IOException))]
    [InlineData(406, "PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out", typeof(IOException))]
    [InlineData(406, "PRECONDITION_FAILED - message size is larger than the maximum", typeof(RunRefusedException))]
    [InlineData(320, "CONNECTION_FORCED - Node was put into maintenance mode", typeof(IOException))]
    public void An_open_channel_that_ends_has_the_failure_of_its_code(int code, string text, Type expected)
    {
        var reason = new ShutdownEventArgs(ShutdownInitiator.Peer, (ushort)code, text);

        Assert.IsType(expected, BrokerFailure.OfShutdown("any", reason));
        Assert.IsType(expected, BrokerFailure.OfSession("any", new OperationInterruptedException(reason)));
    }

    [Fact]
    public async Task A_connection_without_a_time_limit_is_tried_too()
    {
        using var closed = new TcpListener(IPAddress.Loopback, 0);
        closed.Start();
        var port = ((IPEndPoint)closed.LocalEndpoint).Port;
        closed.Stop();
        var factory = new ConnectionFactory
        {
            HostName = "127.0.0.1",
            Port = port,
            RequestedConnectionTimeout = Timeout.InfiniteTimeSpan,
            HandshakeContinuationTimeout = Timeout.InfiniteTimeSpan,
        };
        await using var stream = new RabbitMqMessageStream(factory, "any");

        await Assert.ThrowsAsync<IOException>(async () => await stream.OpenWriterAsync(CancellationToken.None));
    }

    [Fact]
    public void An_offset_after_every_entry_is_one_for_the_broker_too() =>
        Assert.Equal(long.MaxValue, StreamArguments.OfConsumer(StreamStart.At(new StreamOffset(ulong.MaxValue)))[StreamArguments.Offset]);

    [Fact]
    public void The_declaration_of_a_stream_has_each_option_that_is_set()
    {
        var options = new RabbitMqMessageStreamOptions { MaxLengthBytes = 5, MaxAge = TimeSpan.FromMilliseconds(1_500), MaxSegmentBytes = 6, LeaderLocator = "balanced", InitialClusterSize = 3 };
        (string, object?)[] expected =
        [
            ("x-initial-cluster-size", 3), ("x-max-age", "2s"), ("x-max-length-bytes", 5L), ("x-queue-leader-locator", "balanced"), ("x-queue-type", "stream"), ("x-stream-max-segment-size-bytes", 6L),
        ];

        Assert.Equal(expected, StreamArguments.OfDeclaration(options).OrderBy(static argument => argument.Key, StringComparer.Ordinal).Select(static argument => (argument.Key, argument.Value)));
        Assert.Equal("x-queue-type", Assert.Single(StreamArguments.OfDeclaration(new RabbitMqMessageStreamOptions())).Key);
    }

    [Fact]
    public void A_name_that_the_broker_does_not_allow_is_refused_at_once()
    {
        var address = new Uri("amqp://localhost");
        Assert.Equal(255, new RabbitMqMessageStream(address, new string('x', 255)).Name.Length);
        Assert.Throws<ArgumentException>(() => new RabbitMqMessageStream(address, new string('x', 256)));
    }

    // As a configuration gives it, whose text need not be a whole address.
    [Fact]
    public void An_address_without_a_scheme_is_refused_at_once() =>
        Assert.Throws<ArgumentException>(static () => new RabbitMqMessageStream(new Uri("broker.example", UriKind.RelativeOrAbsolute), "any"));

    private static object? Another(PropertyInfo property, object? value) => value switch
    {
        bool flag => !flag,
        string text => text + "x",
        int number => number + 1,
        uint number => number + 1,
        ushort number => (ushort)(number + 1),
        TimeSpan time => time + TimeSpan.FromSeconds(1),
        Enum => Enum.GetValues(property.PropertyType).GetValue(1),
        null when property.PropertyType == typeof(string) => "x",
        null when property.PropertyType == typeof(ICredentialsProvider) => new BasicCredentialsProvider("name", "user", "password"),
        SslOption => new SslOption(),
        IDictionary => new Dictionary<string, object?> { ["a"] = "b" },
        Func<IEnumerable<AmqpTcpEndpoint>, IEndpointResolver> => (Func<IEnumerable<AmqpTcpEndpoint>, IEndpointResolver>)(endpoints => new DefaultEndpointResolver(endpoints)),
        IEnumerable<IAuthMechanismFactory> => new IAuthMechanismFactory[] { new ExternalMechanismFactory() },
        _ => value,
    };
}
