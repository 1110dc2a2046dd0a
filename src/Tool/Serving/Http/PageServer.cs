using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Tool;

/// <summary>The HTTP server of the page. It reads no settings, no environment and no file.</summary>
internal sealed class PageServer : IAsyncDisposable
{
    private const long MaxRequestBytes = 16 * 1024;

    // Less than the time that the program has to end after Ctrl-C.
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    private readonly WebApplication _application;

    private PageServer(WebApplication application) => _application = application;

    /// <summary>Starts the server.</summary>
    /// <param name="sockets">Where it listens. The server disposes them.</param>
    /// <param name="requests">Answers.</param>
    public static async Task<PageServer> StartAsync(LoopbackSockets sockets, PageRequests requests)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddSingleton<IHostLifetime, CommandLifetime>();
        builder.WebHost.UseKestrelCore();
        builder.WebHost.UseSockets(transport => transport.CreateBoundListenSocket = sockets.Of);
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxRequestBodySize = MaxRequestBytes;
            foreach (var address in sockets.Addresses)
            {
                kestrel.Listen(address, static listen =>
                {
                    listen.Protocols = HttpProtocols.Http1;
                    listen.Use(static next => connection =>
                    {
                        connection.Items[RequestGuard.OwnerItem] = connection is { RemoteEndPoint: IPEndPoint client, LocalEndPoint: IPEndPoint server } && ConnectionOwner.MaySee(client, server);
                        return next(connection);
                    });
                });
            }
        });

        var application = builder.Build();
        var guard = new RequestGuard(sockets.Port);
        application.Run(context => guard.Admits(context) ? requests.AnswerAsync(context) : Task.CompletedTask);
        await application.StartAsync().ConfigureAwait(false);
        return new PageServer(application);
    }

    public async ValueTask DisposeAsync()
    {
        using var limit = new CancellationTokenSource(StopLimit);
        await _application.StopAsync(limit.Token).ConfigureAwait(false);
        await _application.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The command ends the server: the host itself hears no signals.</summary>
    private sealed class CommandLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
