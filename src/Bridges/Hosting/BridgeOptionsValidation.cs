using Microsoft.Extensions.Options;

namespace BufferedMessages.Bridges;

/// <summary>Validates the options of a bridge when the host starts, as the bridge itself does.</summary>
internal sealed class BridgeOptionsValidation<TOptions> : IValidateOptions<TOptions>
    where TOptions : BridgeOptions
{
    public ValidateOptionsResult Validate(string? name, TOptions options)
    {
        try
        {
            options.RequireValid();
            if (options.Name is { } bridge)
            {
                BridgeLink.RequireName(bridge);
            }

            return ValidateOptionsResult.Success;
        }
        catch (ArgumentException exception)
        {
            return ValidateOptionsResult.Fail($"The options of the bridge '{name}' are invalid. {exception.Message}");
        }
    }
}
