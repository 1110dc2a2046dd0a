namespace BufferedMessages.Hosting.Torture;

/// <summary>The numbers that workers and checker share.</summary>
internal static class TortureRules
{
    /// <summary>The number of attempts that end with the death of the process before a message is a dead letter.</summary>
    public const int MaxDeaths = 5;

    /// <summary>The number of attempts in a row that throw before a message is a dead letter.</summary>
    public const int Throws = 3;
}
