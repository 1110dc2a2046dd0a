namespace BufferedMessages.Caching.Tests;

/// <summary>The processes that the tests start.</summary>
internal static class Program
{
    public static int Main(string[] arguments) => Parts.Run(arguments);
}
