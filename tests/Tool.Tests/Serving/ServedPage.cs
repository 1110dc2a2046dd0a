using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text.Json;

namespace BufferedMessages.Tool.Tests;

/// <summary>A process that serves a folder on a free port.</summary>
internal sealed class ServedPage : IAsyncDisposable
{
    public const string TokenHeader = "X-BufferedMessages-Changes";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private ServedPage(Process process, Uri address)
    {
        _process = process;
        Address = new Uri(address.GetLeftPart(UriPartial.Path));
        PrintedAddress = address;
        Client = new HttpClient { BaseAddress = Address, Timeout = Limit };
    }

    /// <summary>Gets the address of the page, without the token for changes.</summary>
    public Uri Address { get; }

    public Uri PrintedAddress { get; }

    /// <summary>Gets the token for changes; empty without.</summary>
    public string Token => PrintedAddress.Fragment.Replace("#changes=", "", StringComparison.Ordinal);

    public HttpClient Client { get; }

    /// <summary>Starts the tool.</summary>
    public static async Task<ServedPage> StartAsync(string folder, params string[] arguments)
    {
        var process = ToolRun.Start(folder, ["serve", "--json", .. arguments.Contains("--port", StringComparer.Ordinal) ? arguments : [.. arguments, "--port", "0"]]);
        var line = await process.StandardOutput.ReadLineAsync().WaitAsync(Limit) ?? throw new InvalidOperationException(await process.StandardError.ReadToEndAsync());
        return new ServedPage(process, new Uri(JsonDocument.Parse(line).RootElement.GetProperty("address").GetString()!));
    }

    /// <summary>Gets an answer as JSON.</summary>
    public async Task<JsonElement> GetAsync(string address) => JsonDocument.Parse(await Client.GetStringAsync(new Uri(Address, address))).RootElement;

    /// <summary>Sends a request with headers of its own.</summary>
    public async Task<HttpResponseMessage> SendAsync(HttpMethod method, string address, HttpContent? content = null, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(method, new Uri(Address, address)) { Content = content };
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return await Client.SendAsync(request);
    }

    /// <summary>Asks for a change with the token.</summary>
    public Task<HttpResponseMessage> ChangeAsync(params (string Name, string Value)[] members) =>
        SendAsync(HttpMethod.Post, "/api/change", ChangeOf(members), (TokenHeader, Token));

    public static HttpContent ChangeOf(params (string Name, string Value)[] members) =>
        new StringContent(JsonSerializer.Serialize(members.ToDictionary(static member => member.Name, static member => member.Value)), new MediaTypeHeaderValue("application/json"));

    /// <summary>Opens a stream of events.</summary>
    public async Task<EventReader> EventsAsync(string query) => new(new StreamReader(await Client.GetStreamAsync(new Uri(Address, $"/api/events?{query}"))));

    /// <summary>Ends the process as a person does.</summary>
    /// <returns>Its exit code.</returns>
    public async Task<int> InterruptAsync()
    {
        await Signals.InterruptAsync(_process);
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return _process.ExitCode;
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
    }
}

/// <summary>Reads server-sent events.</summary>
internal sealed class EventReader(StreamReader reader) : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Reads up to the next event of a kind.</summary>
    public async Task<JsonElement> NextAsync(string kind)
    {
        using var limit = new CancellationTokenSource(Limit);
        while (await reader.ReadLineAsync(limit.Token) is { } line)
        {
            if (line == $"event: {kind}" || line == "event: fault")
            {
                var data = (await reader.ReadLineAsync(limit.Token))!["data: ".Length..];
                Assert.True(line == $"event: {kind}", $"The page reports a fault: {data}");
                return JsonDocument.Parse(data).RootElement;
            }
        }

        throw new EndOfStreamException();
    }

    public void Dispose() => reader.Dispose();
}
