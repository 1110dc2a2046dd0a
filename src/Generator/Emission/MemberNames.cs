using System.Globalization;
using System.Text.RegularExpressions;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The names that generated code gives to what belongs to one member.</summary>
/// <param name="Local">A local variable.</param>
/// <param name="Layout">The class that holds the constants.</param>
/// <param name="OffsetConstant">The constant of its offset.</param>
/// <param name="PresenceConstant">The constant of its presence bit.</param>
/// <param name="PaddingConstant">The padding of its struct.</param>
internal sealed record MemberNames(string Local, string Layout, string OffsetConstant, string PresenceConstant, string PaddingConstant)
{
    public const string BlockBytes = "BlockBytes";

    // The parameters and locals of the generated methods; those of nested lists are numbered.
    private static readonly Regex OwnLocals = new(
        "^(source|size|writer|reader|block|depth|values|result|(elements|element|item|slots|at|i)[0-9]*)$",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        TimeSpan.FromSeconds(1));

    public string Offset => Layout + "." + OffsetConstant;

    public string Presence => Layout + "." + PresenceConstant;

    public string Padding => Layout + "." + PaddingConstant;

    /// <summary>Names for all members of a message, in ordinal order; none is used twice.</summary>
    /// <param name="members">The members.</param>
    /// <param name="layout">The class that holds the constants.</param>
    public static IReadOnlyList<MemberNames> Of(EquatableArray<MemberModel> members, string layout)
    {
        var locals = new HashSet<string>(StringComparer.Ordinal);
        var constants = new HashSet<string>(StringComparer.Ordinal) { BlockBytes };
        var offsets = members.Select(member => Free(member.Name, constants)).ToList();
        return [.. members.Select((member, ordinal) => new MemberNames(
            LocalOf(member.Name, locals),
            layout,
            offsets[ordinal].Escape(),
            Free(member.Name + "Presence", constants),
            Free(member.Name + "Padding", constants)))];
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
