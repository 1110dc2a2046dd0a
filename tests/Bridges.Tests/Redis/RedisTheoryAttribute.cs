using BufferedMessages.Bridges.Torture;

namespace BufferedMessages.Bridges.Tests;

/// <summary>A theory that needs a Redis server, and is skipped without one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RedisTheoryAttribute : TheoryAttribute
{
    public RedisTheoryAttribute() => Skip = PrivateRedis.IsInstalled ? null : "redis-server is not installed: apt-get install redis-server";
}
