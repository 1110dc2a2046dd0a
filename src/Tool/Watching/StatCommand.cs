using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Shows rates, lag and waits of queues, again and again.</summary>
internal static class StatCommand
{
    public static Command Create()
    {
        var queues = new Argument<string[]>("QUEUE") { Description = $"The queues: {TargetResolver.Help}.", Arity = ArgumentArity.OneOrMore };
        var interval = Durations.Option("--interval", "The time between two samples; rates are those of that time. 1s by default.");
        var once = new Option<bool>("--once") { Description = "End after the first sample." };
        var command = new ToolCommand("stat", "Show rates, lag per consumer name, members, messages in flight, waits and wakes, until Ctrl-C.", "stat /var/lib/shop/orders ticks", "stat ticks --once --json") { queues, interval, once };
        command.Run(call => WatchAsync(call, call.Value(queues), call.Value(interval) ?? Durations.Second, call.Value(once)));
        return command;
    }

    private static async Task<ExitCode> WatchAsync(Call call, string[] paths, TimeSpan interval, bool isOnce)
    {
        using var queues = StatQueues.Open(call, paths);
        try
        {
            var isLive = call.Console.HasCursor && !isOnce && !call.IsJson;
            await (isLive ? LiveRates.ShowAsync(call, queues, interval) : WriteAsync(call, queues, interval, isOnce)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!isOnce)
        {
            // Ctrl-C is how a person ends it.
        }
        finally
        {
            queues.Report(call);
        }

        return queues.Code;
    }

    private static async Task WriteAsync(Call call, StatQueues queues, TimeSpan interval, bool isOnce)
    {
        do
        {
            queues.Report(call);
            await Task.Delay(interval, call.Token).ConfigureAwait(false);
            var samples = queues.Sample();
            if (call.IsJson)
            {
                foreach (var rates in samples)
                {
                    call.Json.Write(rates, static (json, rates) => rates.Write(json));
                }
            }
            else
            {
                RateTable.Of(samples).Write(call.Out, call.Palette);
                call.WriteLine("");
            }

            call.Out.Flush();
        }
        while (!isOnce);
    }
}
