namespace BufferedMessages.Bridges.Tests;

/// <summary>A test with data and a real RabbitMQ broker; skipped on machines without one.</summary>
internal sealed class RabbitMqTheoryAttribute : TheoryAttribute
{
    public RabbitMqTheoryAttribute() => Skip = new RabbitMqFactAttribute().Skip;
}
