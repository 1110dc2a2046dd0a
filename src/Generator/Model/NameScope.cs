using System.Globalization;

namespace BufferedMessages.Generator.Model;

/// <summary>A scope of unique names. A name that is taken gets the first number from 2 on that makes it free.</summary>
/// <param name="taken">The names that are taken from the start.</param>
internal sealed class NameScope(IEnumerable<string> taken)
{
    private readonly HashSet<string> _taken = new(taken, StringComparer.Ordinal);

    /// <summary>Takes a name, with a number if it is taken.</summary>
    public string Take(string name)
    {
        var free = name;
        for (var i = 2; !_taken.Add(free); i++)
        {
            free = name + i.ToString(CultureInfo.InvariantCulture);
        }

        return free;
    }
}
