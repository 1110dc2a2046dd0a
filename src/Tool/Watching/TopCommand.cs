using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Shows all queues and caches below folders on the whole terminal, live.</summary>
internal static class TopCommand
{
    // A terminal that changes its size is drawn anew after this time.
    private static readonly TimeSpan SizeLook = TimeSpan.FromMilliseconds(200);

    public static Command Create()
    {
        var folders = new Argument<string[]>("FOLDER") { Description = "The folders, with their subfolders; by default the queues in shared memory are shown.", Arity = ArgumentArity.ZeroOrMore };
        var interval = Durations.Option("--interval", "The time between two samples. 1s by default.");
        var command = new ToolCommand(
            "top",
            "Show rates, lag, members and the last messages of all queues and caches below folders on the whole terminal. Press ? for its keys.",
            "top",
            "top /var/lib/shop --interval 500ms") { folders, interval };
        command.Run(call => ShowAsync(call, [.. call.Value(folders).Select(PathOf)], call.Value(interval) ?? Durations.Second));
        return command;
    }

    private static string PathOf(string given) =>
        Directory.Exists(given) ? Path.TrimEndingDirectorySeparator(Path.GetFullPath(given)) : TargetResolver.Find(given, TargetKind.Queue, TargetKind.Cache).Path;

    private static async Task<ExitCode> ShowAsync(Call call, IReadOnlyList<string> folders, TimeSpan interval)
    {
        if (!call.Console.HasCursor || Console.IsInputRedirected || call.IsJson)
        {
            throw new ToolException("`top` needs a terminal for its keys and its screen. `stat` writes the same facts of queues to a file or a pipe.");
        }

        using var watched = new WatchedFolders(folders, call.Token);
        var view = new TopView();
        var keys = TopKeys.Start();
        using var screen = new TopScreen(call);
        try
        {
            var next = TimeSpan.Zero;
            while (!view.IsEnded)
            {
                if (watched.Now >= next)
                {
                    watched.Sample();
                    view.Refresh(watched);
                    next = watched.Now + interval;
                }

                var size = screen.Size;
                screen.Draw(new TopDrawing(call, watched, view, size).Draw());
                while (!view.IsEnded && watched.Now < next && screen.Size == size && !screen.IsLeft)
                {
                    var rest = next - watched.Now;
                    if (await keys.NextAsync(rest < SizeLook ? TimeSpan.FromTicks(Math.Max(rest.Ticks, 0)) : SizeLook, call.Token).ConfigureAwait(false) is { } key)
                    {
                        view.Press(key, watched);
                        break;
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // Ctrl-C is how a person may end it, too.
        }

        return ExitCode.Fine;
    }
}
