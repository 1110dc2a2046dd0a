using System.CommandLine;
using System.Numerics;

namespace BufferedMessages.Tool;

/// <summary>The option <c>-n COUNT</c>: the largest number of messages that a command shows.</summary>
internal static class CountOption
{
    /// <summary>Makes the option. A negative number is refused.</summary>
    /// <typeparam name="T">The type of the number.</typeparam>
    public static Option<T?> Create<T>(string description)
        where T : struct, INumber<T>
    {
        var option = new Option<T?>("-n", "--count") { Description = description, HelpName = "COUNT" };
        option.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<T?>() is { } count && T.IsNegative(count))
            {
                result.AddError($"A count of messages is 0 or more. It is {count}.");
            }
        });
        return option;
    }
}
