using System.Diagnostics;
using System.Reflection;
using System.Text.Json;

namespace BufferedMessages.Sessions;

/// <summary>The process of `bufferedmessages serve`, and a page that is connected to it as a browser would be.</summary>
internal sealed class ServedPage : IDisposable
{
    private readonly Process _process;
    private readonly HttpClient _client;

    private ServedPage(Process process, Uri address)
    {
        _process = process;
        _client = new HttpClient { BaseAddress = address };
    }

    public static async Task<ServedPage> StartAsync(string folder)
    {
        var tool = typeof(ServedPage).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static attribute => attribute.Key == "Tool").Value!;
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", [tool, "serve", folder, "--json", "--port", "0"]) { RedirectStandardOutput = true, UseShellExecute = false };
        var process = Process.Start(start)!;
        var line = await process.StandardOutput.ReadLineAsync().ConfigureAwait(false) ?? throw new InvalidOperationException("`bufferedmessages serve` ended.");
        using var json = JsonDocument.Parse(line);
        return new ServedPage(process, new Uri(json.RootElement.GetProperty("address").GetString()!));
    }

    /// <summary>Opens the stream of events, and reads it until the end.</summary>
    /// <returns>When the first sample is there: the task that reads on.</returns>
    public async Task<Task> ShowAsync(string query, CancellationToken end)
    {
        var events = new StreamReader(await _client.GetStreamAsync(new Uri($"/api/events?{query}", UriKind.Relative), end).ConfigureAwait(false));
        while (await events.ReadLineAsync(end).ConfigureAwait(false) is not "event: sample")
        {
            // Lines before it.
        }

        return Task.Run(() => ReadAsync(events, end), CancellationToken.None);
    }

    /// <summary>Asks for the last messages of a queue.</summary>
    public async Task AskAsync(string queue)
    {
        using var answer = await _client.GetAsync(new Uri($"/api/queue/messages?path={Uri.EscapeDataString(queue)}", UriKind.Relative)).ConfigureAwait(false);
        var text = await answer.Content.ReadAsStringAsync().ConfigureAwait(false);
        if (!answer.IsSuccessStatusCode)
        {
            throw new InvalidOperationException(text);
        }
    }

    public void Dispose()
    {
        _client.Dispose();
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static async Task ReadAsync(StreamReader events, CancellationToken end)
    {
        try
        {
            while (await events.ReadLineAsync(end).ConfigureAwait(false) is not null)
            {
                // The page would draw it.
            }
        }
        catch (OperationCanceledException)
        {
            // The round is over.
        }

        events.Dispose();
    }
}
