using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>Hosts whose content root is a directory of the test, and their log.</summary>
internal sealed class BridgeHost : IDisposable
{
    public BridgeDirectory Directory { get; } = new();

    public LogLines Log { get; } = new("BufferedMessages.Bridges");

    public IHost Build(Action<IServiceCollection> add, params ReadOnlySpan<(string Key, string Value)> configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = Directory.PathOf("") });
        builder.Logging.AddProvider(Log);
        foreach (var (key, value) in configuration)
        {
            builder.Configuration[key] = value;
        }

        add(builder.Services);
        return builder.Build();
    }

    public void Dispose()
    {
        Directory.Dispose();
        Log.Dispose();
    }
}
