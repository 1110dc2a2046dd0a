using Spectre.Console;

namespace BufferedMessages.Tool;

/// <summary>The table of samples on a terminal, which is drawn again in its place.</summary>
internal static class LiveRates
{
    // The terminal cuts lines off that are too long. A table that is fitted into a few columns has a letter in each line, and one that is wrapped is not drawn in its place.
    private const int LineWidth = 10_000;

    /// <summary>Shows samples until Ctrl-C.</summary>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    public static async Task ShowAsync(Call call, StatQueues queues, TimeSpan interval)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(call.Out),
            Ansi = AnsiSupport.Yes,
            ColorSystem = call.Palette.HasColors ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.Yes,
        });
        console.Profile.Width = LineWidth;
        call.Out.Write(TerminalLines.Cut);
        try
        {
            await console.Live(LiveTable.Of(RateTable.Headings, [])).StartAsync(ShowAllAsync).ConfigureAwait(false);
        }
        finally
        {
            call.Out.Write(TerminalLines.Wrap);
        }

        async Task ShowAllAsync(LiveDisplayContext live)
        {
            var samples = queues.WithoutRates();
            while (true)
            {
                live.UpdateTarget(LiveTable.Of(RateTable.Headings, RateTable.Rows(samples).Concat(RateTable.LostRows(queues.Lost))));
                call.Out.Flush();
                await Task.Delay(interval, call.Token).ConfigureAwait(false);
                samples = queues.Sample();
            }
        }
    }
}
