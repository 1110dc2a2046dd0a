using BufferedMessages.Queues;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>Validates the options of a client of requests when the host starts. It reports all faults at once.</summary>
internal sealed class RequestClientOptionsValidation : IValidateOptions<RequestClientOptions>
{
    public ValidateOptionsResult Validate(string? name, RequestClientOptions options)
    {
        var faults = Faults(options).Select(fault => FormattableString.Invariant($"{fault.Option} of the client of the queue '{name}': {fault.Text}")).ToList();
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static IEnumerable<(string Option, string Text)> Faults(RequestClientOptions options)
    {
        if (!RequestTimeout.IsValid(options.Timeout))
        {
            yield return (nameof(options.Timeout), FormattableString.Invariant($"The time must be positive and at most {RequestTimeout.Longest}, or infinite. It is {options.Timeout}."));
        }

        if (options.ResponderTimeout != TimeSpan.Zero && !RequestTimeout.IsValid(options.ResponderTimeout))
        {
            yield return (nameof(options.ResponderTimeout), FormattableString.Invariant($"The time must be from zero to {RequestTimeout.Longest}, or infinite. It is {options.ResponderTimeout}."));
        }

        if (!QueueGeometry.IsValidSegmentSize(options.ReplySegmentBytes))
        {
            yield return (
                nameof(options.ReplySegmentBytes),
                FormattableString.Invariant($"It must be a power of two from {QueueGeometry.MinSegmentBytes} to {QueueGeometry.MaxSegmentBytes}. It is {options.ReplySegmentBytes}."));
        }
    }
}
