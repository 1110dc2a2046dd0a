using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>Validates the limits of the health checks of a queue when the host starts. It reports all faults at once.</summary>
internal sealed class MessageQueueHealthOptionsValidation : IValidateOptions<MessageQueueHealthOptions>
{
    public ValidateOptionsResult Validate(string? name, MessageQueueHealthOptions options)
    {
        var faults = Faults(options).Select(fault => FormattableString.Invariant($"{fault.Option} of the health of the queue '{name}': It must not be negative. It is {fault.Value}.")).ToList();
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static IEnumerable<(string Option, object Value)> Faults(MessageQueueHealthOptions options)
    {
        if (options.MaxLagBytes is < 0 and var lag)
        {
            yield return (nameof(options.MaxLagBytes), lag);
        }

        if (options.MaxUnreadAge is { } age && age < TimeSpan.Zero)
        {
            yield return (nameof(options.MaxUnreadAge), age);
        }

        if (options.MinFreeBytes is < 0 and var free)
        {
            yield return (nameof(options.MinFreeBytes), free);
        }

        if (options.DeadLetterWindow < TimeSpan.Zero)
        {
            yield return (nameof(options.DeadLetterWindow), options.DeadLetterWindow);
        }
    }
}
