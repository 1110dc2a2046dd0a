using System.CommandLine;
using System.Globalization;
using System.Numerics;

namespace BufferedMessages.Tool;

/// <summary>The option <c>-n COUNT</c>: the largest number of messages that a command shows.</summary>
internal static class CountOption
{
    /// <summary>Makes the option. A negative number, and a text that is not a number of the type, are refused.</summary>
    /// <typeparam name="T">The type of the number.</typeparam>
    public static Option<T?> Create<T>(string description)
        where T : struct, INumber<T>, IMinMaxValue<T> => new("-n", "--count")
    {
        Description = description,
        HelpName = "COUNT",
        CustomParser = static result =>
        {
            var text = result.Tokens is [var token] ? token.Value : "";
            if (!T.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var count))
            {
                result.AddError($"'{text}' is not a count of messages. Write a number from 0 to {T.MaxValue}.");
            }
            else if (T.IsNegative(count))
            {
                result.AddError($"A count of messages is 0 or more. It is {count}.");
            }

            return count;
        },
    };
}
