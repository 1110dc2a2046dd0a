namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The ported examples that are programs: <c>name arguments...</c>.</summary>
internal static class Program
{
    public static async Task<int> Main(string[] arguments)
    {
        switch (arguments)
        {
            case [nameof(StructQueue)]:
                await StructQueue.RunAsync();
                return 0;
            case [nameof(StreamQueue)]:
                await StreamQueue.RunAsync();
                return 0;
            case [nameof(InterprocessPublisher), var name]:
                await InterprocessPublisher.RunAsync(name);
                return 0;
            case [nameof(InterprocessSubscriber), var name]:
                InterprocessSubscriber.Run(name);
                return 0;
            default:
                await Console.Error.WriteLineAsync("This program is started by its tests: dotnet test tests/Samples.Tests --filter Ports");
                return 2;
        }
    }
}
