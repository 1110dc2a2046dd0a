using BufferedMessages.Bridges.Torture;

namespace BufferedMessages.Bridges.Tests;

/// <summary>A test with a real RabbitMQ broker; skipped on machines without one.</summary>
internal sealed class RabbitMqFactAttribute : FactAttribute
{
    public RabbitMqFactAttribute()
    {
        if (!PrivateRabbitMq.IsInstalled)
        {
            Skip = "rabbitmq-server is not installed: apt-get install rabbitmq-server";
        }
    }
}
