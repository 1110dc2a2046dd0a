using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching.Tests;

/// <summary>A server of this machine whose pages are different each time that they are made.</summary>
internal sealed class PageServer : IAsyncDisposable
{
    public const string Part = "serve";

    private readonly WebApplication _app;
    private readonly SemaphoreSlim _ended;
    private readonly HttpClient _client = new();

    private PageServer(WebApplication app, SemaphoreSlim ended)
    {
        _app = app;
        _ended = ended;
    }

    public string Address => _app.Urls.Single();

    public IServiceProvider Services => _app.Services;

    /// <param name="configure">Changes the settings of the cache.</param>
    /// <param name="add">Adds the store; null adds it without a name.</param>
    public static async Task<PageServer> StartAsync(Action<MessageCacheSettings> configure, Action<IServiceCollection, Action<MessageCacheSettings>>? add = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        add ??= static (services, configure) => services.AddMessageOutputCache(configure);
        add(builder.Services, settings =>
        {
            settings.SegmentBytes = 8 << 20;
            settings.DiskBytes = 64 << 20;
            settings.MemoryBytes = 32 << 20;
            configure(settings);
        });
        var app = builder.Build();
        var ended = new SemaphoreSlim(0);
        app.Use(async (context, next) =>
        {
            try
            {
                await next(context);
            }
            finally
            {
                ended.Release();
            }
        });
        app.UseOutputCache();
        AddPages(app);
        await app.StartAsync();
        return new PageServer(app, ended);
    }

    /// <summary>Asks for a page, and waits until the server has done everything about it: it keeps a response after it was sent.</summary>
    public async Task<byte[]> GetAsync(string path)
    {
        using var response = await AskAsync(HttpMethod.Get, path);
        return await response.Content.ReadAsByteArrayAsync();
    }

    /// <inheritdoc cref="GetAsync"/>
    public async Task<HttpResponseMessage> AskAsync(HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, new Uri(Address + path));
        var response = await _client.SendAsync(request);
        response.EnsureSuccessStatusCode();
        await _ended.WaitAsync();
        return response;
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _app.DisposeAsync();
        _ended.Dispose();
    }

    private static void AddPages(WebApplication app)
    {
        // Other pages in each process. A response is for all hosts, because each server has another port.
        var made = Environment.ProcessId * 1_000;
        app.MapGet("/{page}/{bytes}", (string page, int bytes, HttpResponse response) =>
        {
            var number = Interlocked.Increment(ref made);
            response.Headers.ETag = $"\"{number.ToString(CultureInfo.InvariantCulture)}\"";
            return Results.Bytes(Values.Of(number, bytes), "image/example");
        }).CacheOutput(static policy => policy.Expire(TimeSpan.FromMinutes(5)).SetVaryByHost(enabled: false).Tag("pages").AddPolicy<PageTag>());
        app.MapDelete("/{tag}", async (string tag, IOutputCacheStore store, CancellationToken token) => await store.EvictByTagAsync(tag, token));
    }

    // The name of the page is a tag too.
    private sealed class PageTag : IOutputCachePolicy
    {
        public ValueTask CacheRequestAsync(OutputCacheContext context, CancellationToken cancellation)
        {
            context.Tags.Add((string)context.HttpContext.Request.RouteValues["page"]!);
            return default;
        }

        public ValueTask ServeFromCacheAsync(OutputCacheContext context, CancellationToken cancellation) => default;

        public ValueTask ServeResponseAsync(OutputCacheContext context, CancellationToken cancellation) => default;
    }
}
