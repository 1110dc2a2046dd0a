using RabbitMQ.Client;
using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The names of the bridges beside those of the brokers' clients.</summary>
public class PublicNamesTests
{
    /// <summary>A file that configures a connection uses both namespaces. A name that is in both would be ambiguous there.</summary>
    [Theory]
    [InlineData(typeof(RedisMessageStream), typeof(ConfigurationOptions))]
    [InlineData(typeof(RabbitMqMessageStream), typeof(ConnectionFactory))]
    public void No_public_type_has_the_name_of_one_of_the_client(Type stream, Type client)
    {
        var names = NamesOf(stream).Union(NamesOf(typeof(IMessageStream))).Union(NamesOf(typeof(MessageQueue))).ToList();

        Assert.Contains(stream.Name, names);
        Assert.Contains(client.Name, NamesOf(client));
        Assert.Empty(names.Intersect(NamesOf(client)));
    }

    private static IEnumerable<string> NamesOf(Type type) => type.Assembly.GetExportedTypes().Where(static exported => !exported.IsNested).Select(static exported => exported.Name);
}
