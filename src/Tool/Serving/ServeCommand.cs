using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Shows queues and caches on a page of this machine.</summary>
internal static class ServeCommand
{
    public static Command Create()
    {
        var folders = new Argument<string[]>("FOLDER") { Description = "The folders whose queues and caches are shown, with those in the folders below; by default the current one.", Arity = ArgumentArity.ZeroOrMore };
        var port = new Option<int?>("--port") { Description = $"The port; 0 takes one that is free. By default {LoopbackSockets.DefaultPort}, or the next one that is free.", HelpName = "PORT", CustomParser = ParsePort };
        var changes = new Option<bool>("--allow-changes") { Description = "Let the page move and delete consumer names, and requeue and drop dead letters." };
        var command = new ToolCommand(
            "serve",
            "Show queues and caches in a browser: rates, lag, members and messages. Only this machine can open the page. Ctrl-C ends it.",
            "serve /var/lib/shop",
            "serve /var/lib/shop /dev/shm --port 8080",
            "serve /var/lib/shop --allow-changes") { folders, port, changes };
        command.Run(call => ServeAsync(call, call.Value(folders), call.Value(port), call.Value(changes)));
        return command;
    }

    private static int? ParsePort(ArgumentResult result)
    {
        if (!ushort.TryParse(result.Tokens is [var token] ? token.Value : "", NumberStyles.None, CultureInfo.InvariantCulture, out var port))
        {
            result.AddError($"A port is a number from 0 to {ushort.MaxValue}.");
        }

        return port;
    }

    private static async Task<ExitCode> ServeAsync(Call call, string[] paths, int? port, bool allowsChanges)
    {
        var folders = ServedFolders.Of(paths);
        using var sockets = LoopbackSockets.Bind(port);
        var token = allowsChanges ? ChangeToken.Create() : null;
        var address = $"http://localhost:{sockets.Port}/{(token is null ? "" : $"#changes={token.Text}")}";
        var sampler = new QueueSampler(folders, call.Token);
        await using (sampler.ConfigureAwait(false))
        {
            var server = await PageServer.StartAsync(sockets, new PageRequests(call, folders, sampler, token)).ConfigureAwait(false);
            await using (server.ConfigureAwait(false))
            {
                Announce(call, folders, address, allowsChanges);
                try
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan, call.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    // Ctrl-C is how a person ends it.
                }
            }
        }

        return ExitCode.Fine;
    }

    private static void Announce(Call call, ServedFolders folders, string address, bool allowsChanges)
    {
        if (call.IsJson)
        {
            call.Json.Write(address, static (json, address) =>
            {
                json.WriteStartObject();
                json.WriteString("address"u8, address);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine(address);
            call.WriteLine(TerminalText.Escape($"Shows {string.Join(", ", folders.Roots)}. {(allowsChanges ? "This address allows changes: keep it secret." : "It changes nothing.")} Ctrl-C ends it."));
        }

        call.Out.Flush();
    }
}
