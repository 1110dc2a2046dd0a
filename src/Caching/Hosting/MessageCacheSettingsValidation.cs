using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching;

/// <summary>Validates the settings of a cache when the host starts. It reports all faults at once, as the options define them.</summary>
internal sealed class MessageCacheSettingsValidation : IValidateOptions<MessageCacheSettings>
{
    public ValidateOptionsResult Validate(string? name, MessageCacheSettings options)
    {
        var cache = string.IsNullOrEmpty(name) ? "the cache" : $"the cache '{name}'";
        var faults = Faults(options).Select(fault => $"{fault.Setting} of {cache}: {fault.Text}").ToList();
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static IEnumerable<(string Setting, string Text)> Faults(MessageCacheSettings settings)
    {
        if (string.IsNullOrWhiteSpace(settings.Directory))
        {
            yield return (nameof(settings.Directory), "It is not set. Name a directory that the cache has for itself; it is created.");
        }

        List<(string Setting, string Text)> faults = [.. settings.ToOptions(name: null, TimeProvider.System).Faults(), .. settings.ExpiryFaults()];
        foreach (var fault in faults)
        {
            yield return fault;
        }

        if (faults.Count == 0 && MisfitOf(settings.ToOptions(name: null, TimeProvider.System)) is { } misfit)
        {
            yield return (nameof(settings.DiskBytes), misfit);
        }
    }

    private static string? MisfitOf(MessageCacheOptions options)
    {
        try
        {
            options.SegmentsOf(options.NewSegmentBytes);
            return null;
        }
        catch (ArgumentException exception)
        {
            return exception.Message;
        }
    }
}
