namespace BufferedMessages.CrossProcess.Torture;

/// <summary>The consumer names of a round.</summary>
internal static class TortureNames
{
    public static string Of(int number) => $"name-{number}";
}
