using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

namespace BufferedMessages.Tool.Tests;

/// <summary>A folder that is served on a free port, by this process or by one of its own.</summary>
internal sealed class ServedPage : IAsyncDisposable
{
    public const string TokenHeader = "X-BufferedMessages-Changes";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Task<int> _exit;
    private readonly CancellationTokenSource _end;
    private readonly Process? _process;

    private ServedPage(string line, Task<int> exit, CancellationTokenSource end, Process? process)
    {
        (_exit, _end, _process) = (exit, end, process);
        PrintedAddress = new Uri(JsonDocument.Parse(line).RootElement.GetProperty("address").GetString()!);
        Address = new Uri(PrintedAddress.GetLeftPart(UriPartial.Path));
        Client = new HttpClient { BaseAddress = Address, Timeout = Limit };
    }

    /// <summary>Gets the address of the page, without the token for changes.</summary>
    public Uri Address { get; }

    public Uri PrintedAddress { get; }

    /// <summary>Gets the token for changes; empty without.</summary>
    public string Token => PrintedAddress.Fragment.Replace("#changes=", "", StringComparison.Ordinal);

    public HttpClient Client { get; }

    /// <summary>Runs the tool in this process, which compiles the code of the server once for all tests.</summary>
    public static async Task<ServedPage> StartAsync(string folder, params string[] options)
    {
        var output = new FirstLine();
        var errors = new MemoryStream();
        var console = new ToolConsole(output, errors, TextReader.Null, isTerminal: false, hasColors: false);
        var end = new CancellationTokenSource();
        var exit = Task.Run(() => Inspector.RunAsync(["serve", folder, .. Complete(options)], console, end.Token), CancellationToken.None);
        await Task.WhenAny(exit, output.Text).WaitAsync(Limit);
        return output.Text.IsCompleted
            ? new ServedPage(await output.Text, exit, end, process: null)
            : throw new InvalidOperationException($"It ended with {await exit}: {Encoding.UTF8.GetString(errors.ToArray())}");
    }

    /// <summary>Starts the tool, whose current folder is the one that it serves.</summary>
    public static async Task<ServedPage> StartProcessAsync(string folder, params string[] options)
    {
        var process = ToolRun.Start(folder, ["serve", .. Complete(options)]);
        var line = await process.StandardOutput.ReadLineAsync().WaitAsync(Limit) ?? throw new InvalidOperationException(await process.StandardError.ReadToEndAsync());
        return new ServedPage(line, ExitAsync(process), new CancellationTokenSource(), process);
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

    /// <summary>Ends the tool as a person does.</summary>
    /// <returns>Its exit code.</returns>
    public async Task<int> InterruptAsync()
    {
        await (_process is null ? _end.CancelAsync() : Signals.InterruptAsync(_process));
        return await _exit.WaitAsync(Limit);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (_process is { HasExited: false })
        {
            _process.Kill();
        }

        await _end.CancelAsync();
        await _exit.WaitAsync(Limit);
        _process?.Dispose();
        _end.Dispose();
    }

    private static string[] Complete(string[] options) => ["--json", .. options.Contains("--port", StringComparer.Ordinal) ? options : [.. options, "--port", "0"]];

    private static async Task<int> ExitAsync(Process process)
    {
        await process.WaitForExitAsync();
        return process.ExitCode;
    }

    /// <summary>The output of the tool, whose first line has the address.</summary>
    private sealed class FirstLine : MemoryStream
    {
        private readonly TaskCompletionSource<string> _text = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string> Text => _text.Task;

        public override void Flush()
        {
            if (Length > 0)
            {
                _text.TrySetResult(Encoding.UTF8.GetString(ToArray()));
            }
        }
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
