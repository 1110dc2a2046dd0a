namespace BufferedMessages.Hosting.Torture;

/// <summary>The numbers that workers and checker share.</summary>
internal static class TortureRules
{
    /// <summary>After so many attempts that ended with the death of the process, a message is a dead letter.</summary>
    public const int MaxAttempts = 5;

    /// <summary>After so many attempts in a row that threw, a message is a dead letter.</summary>
    public const int Throws = 3;
}
