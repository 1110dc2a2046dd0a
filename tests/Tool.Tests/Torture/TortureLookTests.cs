using System.Globalization;
using System.Text.Json;
using BufferedMessages.CrossProcess.Torture;
using Xunit.Abstractions;

namespace BufferedMessages.Tool.Tests;

/// <summary>
/// Every command that looks, beside processes that publish, read, are killed and replaced. BUFFEREDMESSAGES_TORTURE_LOOKS says how often each command runs.
/// </summary>
public class TortureLookTests(ITestOutputHelper output)
{
    private const string LooksVariable = "BUFFEREDMESSAGES_TORTURE_LOOKS";
    private const int FewLooks = 3;

    // Looks may find a queue before its first message.
    private const int MostLooksWithoutMessage = 100;

    [Fact]
    public async Task Looks_beside_killed_processes_do_not_fail_and_show_no_wrong_message()
    {
        var looks = int.TryParse(Environment.GetEnvironmentVariable(LooksVariable), NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? count : FewLooks;
        var tally = new LookTally();
        while (GoesOn())
        {
            using var folder = new TemporaryFolder();
            using var torture = new TortureProcess(folder.Path);
            await using var page = await ServedPage.StartProcessAsync(folder.Path);
            while (!torture.HasExited && GoesOn())
            {
                await LookAsync(folder.Path, page, tally);
            }

            var report = await torture.EndAsync();
            output.WriteLine(report);
            Assert.Contains(" lost 0 halved 0 corrupt 0 disordered 0 unflagged 0 stalled 0", report.TrimEnd().Split('\n')[^1], StringComparison.Ordinal);
            Assert.DoesNotContain("\nkills 0 ", report, StringComparison.Ordinal);
        }

        output.WriteLine($"{tally}");
        Assert.True(tally.Messages > 0, "No message was shown: the test tests nothing.");

        bool GoesOn() => tally.Rounds < looks || (tally.Messages == 0 && tally.Rounds < MostLooksWithoutMessage);
    }

    // All commands at the queue of the present round, if its consumers are there. A round that is over renames its folder and then deletes it.
    private static async Task LookAsync(string folder, ServedPage page, LookTally tally)
    {
        var round = Directory.EnumerateDirectories(folder).FirstOrDefault(static path => !path.EndsWith(".ended", StringComparison.Ordinal) && MessageQueue.Exists(Path.Combine(path, "queue")));
        var queue = Path.Combine(round ?? "", "queue");
        if (round is null || !(await ToolRun.InProcessAsync("name", "ls", queue)).Output.Contains("name-0", StringComparison.Ordinal))
        {
            await Task.Delay(1);
            return;
        }

        string[][] commands =
        [
            ["ls", queue], ["ls", folder, "-r", "--json"], ["info", queue], ["info", queue, "--json"], ["schema", queue],
            ["tail", queue, "-n", "20", "--json"], ["tail", queue, "--name", "name-0", "-n", "20", "--properties"], ["dump", queue, "--json"], ["dump", queue, "--hex"],
            ["grep", queue, "-i", "[0-9]", "--count"], ["stat", queue, "--once", "--interval", "1ms"], ["name", "ls", queue], ["dead", "ls", queue],
            ["verify", queue], ["verify", queue, "--checksums"], ["repair", queue], ["export", queue, "-", "--json"],
        ];
        foreach (var command in commands)
        {
            var run = await ToolRun.InProcessAsync(command);
            tally.Looks++;
            if (run.Code != 0 && !HasNoSchema(command, run))
            {
                Assert.False(Directory.Exists(round), $"{string.Join(' ', command)}: {run.Code}\n{run.Errors}");
                tally.Ended++;
                return;
            }

            if (command[0] is "tail" or "dump" && command.Contains("--json", StringComparer.Ordinal))
            {
                tally.Messages += run.Lines.Count(static line => IsRight(line));
            }
        }

        if (await LookByPageAsync(page, queue) is { } fault)
        {
            Assert.False(Directory.Exists(round), fault);
            tally.Ended++;
            return;
        }

        await LookByTopAsync(folder);
        tally.Rounds++;
    }

    // What the page shows of a queue, and its events; null if each request was answered.
    private static async Task<string?> LookByPageAsync(ServedPage page, string queue)
    {
        using var lists = await page.SendAsync(HttpMethod.Get, "/api/start");
        Assert.True(lists.IsSuccessStatusCode, await lists.Content.ReadAsStringAsync());
        var path = $"path={Uri.EscapeDataString(queue)}";
        foreach (var address in new[] { $"/api/queue?{path}", $"/api/queue/messages?{path}", $"/api/queue/messages?{path}&from=earliest", $"/api/queue/dead?{path}" })
        {
            using var answer = await page.SendAsync(HttpMethod.Get, address);
            if (!answer.IsSuccessStatusCode)
            {
                return $"{address}: {answer.StatusCode} {await answer.Content.ReadAsStringAsync()}";
            }
        }

        using var events = await page.EventsAsync("");
        await events.NextAsync("sample");
        return null;
    }

    // The view in the terminal, if there is a program that makes a terminal.
    private static async Task LookByTopAsync(string folder)
    {
        if (!File.Exists(TerminalFactAttribute.Program))
        {
            return;
        }

        using var session = new TerminalSession(folder, "top . --interval 50ms", (30, 130));
        await session.ReadUntilAsync("? help");
        await session.PressAsync("q");
        Assert.Equal(0, await session.EndAsync());
    }

    // The queues of the torture hold bytes.
    private static bool HasNoSchema(string[] command, ToolRun run) => command[0] is "schema" or "grep" && run.Errors.Contains("has no schema", StringComparison.Ordinal);

    // A message follows from its number, byte for byte, and so do its properties. Empty ones have no number.
    private static bool IsRight(string line)
    {
        using var document = JsonDocument.Parse(line);
        var record = document.RootElement;
        var payload = record.GetProperty("payload").GetBytesFromBase64();
        if (payload.Length == 0)
        {
            return false;
        }

        Assert.True(TortureMessage.TryRead(payload, out var incarnation, out var number), line);
        var known = TortureMessage.PropertiesOf(incarnation, number, payload.Length)?.CorrelationId;
        var shown = record.TryGetProperty("properties", out var properties) && properties.TryGetProperty("correlation", out var correlation) ? correlation.GetString() : null;
        Assert.True(known == shown, line);
        return true;
    }

    private sealed class LookTally
    {
        public int Rounds { get; set; }

        public int Looks { get; set; }

        /// <summary>Looks that met the end of their queue.</summary>
        public int Ended { get; set; }

        public long Messages { get; set; }

        public override string ToString() => $"{Rounds} times all commands, {Looks} looks of which {Ended} met the end of the queue, {Messages} messages compared";
    }
}
