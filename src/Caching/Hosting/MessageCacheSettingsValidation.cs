using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching;

/// <summary>Validates the settings of a cache when the host starts. It finds all faults at once; what is a fault the options themselves say.</summary>
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

        List<(string Setting, Func<MessageCacheOptions> Use)> uses =
        [
            (nameof(settings.DiskBytes), () => new() { DiskBytes = settings.DiskBytes }),
            (nameof(settings.MemoryBytes), () => new() { MemoryBytes = settings.MemoryBytes }),
            (nameof(settings.SegmentBytes), () => new() { SegmentBytes = settings.SegmentBytes }),
            (nameof(settings.MaxEntryBytes), () => new() { MaxEntryBytes = settings.MaxEntryBytes }),
            (nameof(settings.ExpectedEntries), () => new() { ExpectedEntries = settings.ExpectedEntries }),
            (nameof(settings.SegmentTimeout), () => new() { SegmentTimeout = settings.SegmentTimeout }),
            (nameof(settings.DefaultExpiration), () => new() { DefaultExpiry = CacheExpiry.After(settings.DefaultExpiration ?? TimeSpan.MaxValue) }),
            (nameof(settings.DefaultSlidingExpiration), () => new() { DefaultExpiry = CacheExpiry.Sliding(settings.DefaultSlidingExpiration ?? TimeSpan.MaxValue) }),
        ];
        var areSound = true;
        foreach (var (setting, use) in uses)
        {
            if (FaultOf(use) is { } fault)
            {
                areSound = false;
                yield return (setting, fault);
            }
        }

        if (areSound && FaultOf(() => RequireSegments(settings)) is { } misfit)
        {
            yield return (nameof(settings.DiskBytes), misfit);
        }
    }

    private static MessageCacheOptions RequireSegments(MessageCacheSettings settings)
    {
        var options = settings.ToOptions(name: null, TimeProvider.System);
        options.SegmentsOf(options.NewSegmentBytes);
        return options;
    }

    // The name of the parameter says nothing here.
    private static string? FaultOf(Func<MessageCacheOptions> use)
    {
        try
        {
            use();
            return null;
        }
        catch (ArgumentException exception)
        {
            var text = exception.Message.Split(" (Parameter", 2)[0];
            return exception is ArgumentOutOfRangeException { ActualValue: { } value } ? FormattableString.Invariant($"{text} It is {value}.") : text;
        }
    }
}
