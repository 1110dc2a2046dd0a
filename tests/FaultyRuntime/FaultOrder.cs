using System.Globalization;

namespace BufferedMessages.Segments;

/// <summary>An order to a process: what to do, at which step, and when it comes there for which time.</summary>
/// <param name="Point">The step.</param>
/// <param name="Hit">1 for the first time; -n for every n-th.</param>
/// <param name="Action">What to do.</param>
/// <param name="Milliseconds">How long to sleep.</param>
internal sealed record FaultOrder(FaultPoint Point, int Hit, FaultAction Action, int Milliseconds = 0)
{
    public static FaultOrder Parse(string text)
    {
        var parts = text.Split(':');
        return new FaultOrder(
            Enum.Parse<FaultPoint>(parts[0]),
            int.Parse(parts[1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture),
            Enum.Parse<FaultAction>(parts[2]),
            int.Parse(parts[3], CultureInfo.InvariantCulture));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Point}:{Hit}:{Action}:{Milliseconds}");
}
