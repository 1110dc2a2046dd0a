using BufferedMessages.Queues;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>Validates the settings of a queue when the host starts, as the queue itself does.</summary>
internal sealed class MessageQueueSettingsValidation : IValidateOptions<MessageQueueSettings>
{
    public ValidateOptionsResult Validate(string? name, MessageQueueSettings options)
    {
        var faults = Faults(options).Select(fault => $"{fault.Setting} of the queue '{name}': {fault.Text}").ToList();
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static IEnumerable<(string Setting, string Text)> Faults(MessageQueueSettings settings)
    {
        switch (string.IsNullOrWhiteSpace(settings.Directory), string.IsNullOrWhiteSpace(settings.SharedName))
        {
            case (true, true):
                yield return (nameof(settings.Directory), $"Neither it nor {nameof(settings.SharedName)} is set. Name a directory, which is created if it does not exist, or a queue in shared memory.");
                break;
            case (false, false):
                yield return (nameof(settings.Directory), $"Both it and {nameof(settings.SharedName)} are set. A queue has one place: set one of the two.");
                break;
            default:
                break;
        }

        if (FaultOf(settings.Options) is { } fault)
        {
            yield return (nameof(settings.Options), fault);
        }
    }

    private static string? FaultOf(MessageQueueOptions? options)
    {
        if (options is null)
        {
            return "They are null. For the defaults, do not set them.";
        }

        try
        {
            QueueGeometry.RequireValid(options);
            return null;
        }
        catch (ArgumentException exception)
        {
            return exception.Message;
        }
    }
}
