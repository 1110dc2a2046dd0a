namespace BufferedMessages.Hosting.Tests;

/// <summary>The processes that the tests start, and kill: <c>part arguments...</c>.</summary>
internal static class Program
{
    public static int Main(string[] arguments)
    {
        Action<string[]>? part = arguments.FirstOrDefault() switch
        {
            nameof(Parts.DieWith) => Parts.DieWith,
            nameof(Parts.HoldMessage) => Parts.HoldMessage,
            nameof(Parts.PublishInSpan) => Parts.PublishInSpan,
            _ => null,
        };
        if (part is null)
        {
            Console.Error.WriteLine("This program is started by its tests: dotnet test tests/Hosting.Tests");
            return 2;
        }

        part(arguments[1..]);
        return 0;
    }
}
