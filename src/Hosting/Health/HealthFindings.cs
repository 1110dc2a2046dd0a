using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BufferedMessages.Hosting;

/// <summary>The findings of a health check: the worst status wins, and all descriptions are reported.</summary>
internal sealed class HealthFindings
{
    private readonly List<string> _descriptions = [];
    private HealthStatus _status = HealthStatus.Healthy;
    private Exception? _failure;

    public Dictionary<string, object> Data { get; } = new(StringComparer.Ordinal);

    public void Add(HealthStatus status, string description, Exception? failure = null)
    {
        _descriptions.Add(description);
        _failure ??= failure;
        _status = status < _status ? status : _status;
    }

    /// <param name="healthy">The description if there is no finding.</param>
    public HealthCheckResult ToResult(string healthy) => new(_status, _descriptions.Count == 0 ? healthy : string.Join(' ', _descriptions), _failure, Data);
}
