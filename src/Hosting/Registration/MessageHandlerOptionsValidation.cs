using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>Validates the options of a handler when the host starts. It reports all faults at once.</summary>
internal sealed class MessageHandlerOptionsValidation : IValidateOptions<MessageHandlerOptions>
{
    private const int MostWorkers = 64;

    // The longest time that a timer can wait, rounded down.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    public ValidateOptionsResult Validate(string? name, MessageHandlerOptions options)
    {
        var faults = Faults(options).Select(fault => FormattableString.Invariant($"{fault.Option} of the handler '{name}': {fault.Text}")).ToList();
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static IEnumerable<(string Option, string Text)> Faults(MessageHandlerOptions options) => [.. WorkerFaults(options), .. FailureFaults(options)];

    private static IEnumerable<(string Option, string Text)> WorkerFaults(MessageHandlerOptions options)
    {
        if (options.Concurrency is < 1 or > MostWorkers)
        {
            yield return (nameof(options.Concurrency), FormattableString.Invariant($"It must be from 1 to {MostWorkers}. It is {options.Concurrency}."));
        }
        else if (options.Ordered && options.Concurrency > 1)
        {
            yield return (nameof(options.Concurrency), FormattableString.Invariant($"An ordered handler has one worker, not {options.Concurrency}. Set {nameof(options.Ordered)} to false, or leave it at 1."));
        }

        if (options.MessagesPerCommit < 1)
        {
            yield return (nameof(options.MessagesPerCommit), FormattableString.Invariant($"It must be at least 1. It is {options.MessagesPerCommit}."));
        }
        else if (!options.Ordered && options.MessagesPerCommit > 1)
        {
            yield return (nameof(options.MessagesPerCommit), $"A member of a group commits each message. Set {nameof(options.Ordered)} to true, or leave it at 1.");
        }

        if (!Enum.IsDefined(options.Wait))
        {
            yield return (nameof(options.Wait), "It must be Adaptive, Spin or Block.");
        }
    }

    private static IEnumerable<(string Option, string Text)> FailureFaults(MessageHandlerOptions options)
    {
        if (options.Delays.Any(static delay => delay < TimeSpan.Zero || delay > Longest))
        {
            yield return (nameof(options.RetryDelays), FormattableString.Invariant($"Each delay must be from zero to {Longest}."));
        }

        if (options.MaxDeaths < 1)
        {
            yield return (nameof(options.MaxDeaths), FormattableString.Invariant($"It must be at least 1. It is {options.MaxDeaths}."));
        }

        if (options.BreakAfter < 1)
        {
            yield return (nameof(options.BreakAfter), FormattableString.Invariant($"It must be at least 1, or null. It is {options.BreakAfter}."));
        }

        if (options.BreakDuration <= TimeSpan.Zero || options.BreakDuration > Longest)
        {
            yield return (nameof(options.BreakDuration), FormattableString.Invariant($"The time must be positive and at most {Longest}. It is {options.BreakDuration}."));
        }

        if (options.StopTimeout < TimeSpan.Zero || options.StopTimeout > Longest)
        {
            yield return (nameof(options.StopTimeout), FormattableString.Invariant($"The time must be from zero to {Longest}. It is {options.StopTimeout}."));
        }
    }
}
