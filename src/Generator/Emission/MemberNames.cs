using System.Globalization;
using System.Text.RegularExpressions;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The names that generated code gives to what belongs to one member.</summary>
/// <param name="Local">A local variable.</param>
/// <param name="Padding">The padding of its struct, in the plumbing class.</param>
internal sealed record MemberNames(string Local, string Padding)
{
    // The parameters and locals of the generated methods.
    private static readonly Regex OwnLocals = new(
        "^(source|size|writer|reader|block|depth|values|result)$",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        TimeSpan.FromSeconds(1));

    /// <summary>Names for all members of a message, in ordinal order; none is used twice.</summary>
    public static IReadOnlyList<MemberNames> Of(EquatableArray<MemberModel> members)
    {
        var locals = new HashSet<string>(StringComparer.Ordinal);
        var fields = new HashSet<string>(StringComparer.Ordinal);
        return [.. members.Select(member => new MemberNames(LocalOf(member.Name, locals), Free(member.Name + "Padding", fields)))];
    }

    private static string LocalOf(string name, HashSet<string> taken)
    {
        var local = char.ToLowerInvariant(name[0]) + name.Substring(1);
        return Free(OwnLocals.IsMatch(local) ? local + "Member" : local, taken).Escape();
    }

    private static string Free(string name, HashSet<string> taken)
    {
        var free = name;
        for (var i = 2; !taken.Add(free); i++)
        {
            free = name + i.ToString(CultureInfo.InvariantCulture);
        }

        return free;
    }
}
