using System.Runtime.CompilerServices;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The shape of the public types of runtime and bridges.</summary>
public class PublicTypesTests
{
    private static readonly List<Type> Exported =
        [.. new[] { typeof(MessageQueue), typeof(MessageForwarder), typeof(RabbitMqMessageStream), typeof(RedisMessageStream) }.SelectMany(static type => type.Assembly.GetExportedTypes())];

    [Fact]
    public void Statistics_are_made_by_the_product_only()
    {
        var statistics = Exported.Where(static type => type.Name.EndsWith("Statistics", StringComparison.Ordinal)).ToList();

        Assert.Contains(typeof(ForwarderStatistics), statistics);
        Assert.All(statistics, static type =>
        {
            Assert.Empty(type.GetConstructors());
            Assert.All(type.GetProperties(), static property => Assert.Null(property.GetSetMethod()));
        });
    }

    [Fact]
    public void Options_can_be_changed_until_they_are_used()
    {
        var setters = Exported.Where(static type => type.Name.EndsWith("Options", StringComparison.Ordinal)).SelectMany(static type => type.GetProperties()).Select(static property => property.GetSetMethod()).ToList();

        Assert.Contains(typeof(RabbitMqMessageStreamOptions).GetProperty(nameof(RabbitMqMessageStreamOptions.MaxAge))!.GetSetMethod(), setters);
        Assert.All(setters, static setter => Assert.DoesNotContain(typeof(IsExternalInit), setter!.ReturnParameter.GetRequiredCustomModifiers()));
    }
}
