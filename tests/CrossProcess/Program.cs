using System.CommandLine;
using BufferedMessages.CrossProcess.AccessLog;
using BufferedMessages.CrossProcess.Dictionaries;
using BufferedMessages.CrossProcess.Doors;
using BufferedMessages.CrossProcess.Events;
using BufferedMessages.CrossProcess.Evolution;
using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.CrossProcess.Unions;
using BufferedMessages.CrossProcess.Writes;
using BufferedMessages.Running;

namespace BufferedMessages.CrossProcess;

/// <summary>The processes that the tests start, and kill: <c>part arguments...</c>.</summary>
internal static class Program
{
    public static Task<int> Main(string[] arguments)
    {
        Action<string[]>? part = arguments.FirstOrDefault() switch
        {
            nameof(Parts.OpenQueue) => Parts.OpenQueue,
            nameof(Parts.CreateQueue) => Parts.CreateQueue,
            nameof(Parts.CreateQueues) => Parts.CreateQueues,
            nameof(Parts.DeleteQueue) => Parts.DeleteQueue,
            nameof(Parts.DeleteName) => Parts.DeleteName,
            nameof(EvolutionParts.PublishTrades) => EvolutionParts.PublishTrades,
            nameof(EvolutionParts.ReadTrades) => EvolutionParts.ReadTrades,
            nameof(EvolutionParts.DoubleOffers) => EvolutionParts.DoubleOffers,
            nameof(EvolutionParts.OpenVersion3) => EvolutionParts.OpenVersion3,
            nameof(DictionaryParts.LookUp) => DictionaryParts.LookUp,
            nameof(DictionaryParts.CompareCatalogue) => DictionaryParts.CompareCatalogue,
            nameof(LogParts.CompareLog) => LogParts.CompareLog,
            nameof(LogParts.CompareLines) => LogParts.CompareLines,
            nameof(WriteParts.WriteOnce) => WriteParts.WriteOnce,
            nameof(WriteParts.WriteShared) => WriteParts.WriteShared,
            nameof(UnionParts.ReadEvents) => UnionParts.ReadEvents,
            nameof(DoorParts.HoldAcrossAwaits) => DoorParts.HoldAcrossAwaits,
            nameof(DoorParts.Look) => DoorParts.Look,
            nameof(DoorParts.ShareQueue) => DoorParts.ShareQueue,
            nameof(DoorParts.OpenForGroup) => DoorParts.OpenForGroup,
            nameof(MisuseParts.Misuse) => MisuseParts.Misuse,
            nameof(FewFilesParts.BeginWithoutFiles) => FewFilesParts.BeginWithoutFiles,
            nameof(FewFilesParts.RunOutOfFiles) => FewFilesParts.RunOutOfFiles,
            nameof(EventParts.ListenBadly) => EventParts.ListenBadly,
            nameof(Parts.HoldProducer) => Parts.HoldProducer,
            nameof(Parts.HoldConsumer) => Parts.HoldConsumer,
            nameof(Parts.HoldClaim) => Parts.HoldClaim,
            nameof(Parts.HoldMessage) => Parts.HoldMessage,
            nameof(Parts.FillSegment) => Parts.FillSegment,
            nameof(Parts.TakeMessages) => Parts.TakeMessages,
            nameof(Parts.ReadAsMember) => Parts.ReadAsMember,
            nameof(Parts.CloseAfterCut) => Parts.CloseAfterCut,
            nameof(Parts.WaitIdly) => Parts.WaitIdly,
            nameof(Parts.AwaitMessage) => Parts.AwaitMessage,
            nameof(Parts.OpenOtherValues) => Parts.OpenOtherValues,
            nameof(Parts.Produce) => Parts.Produce,
            nameof(Parts.Consume) => Parts.Consume,
            "worker" => Worker.Run,
            _ => null,
        };
        if (part is null)
        {
            return TortureAsync(arguments);
        }

        part(arguments[1..]);
        return Task.FromResult(0);
    }

    // A method of its own: a part, of which tests start some thousand, loads no command line.
    private static Task<int> TortureAsync(string[] arguments)
    {
        var command = new RootCommand("The parts of the tests in processes of their own, which start it: dotnet test tests/CrossProcess. By hand it tortures.") { TortureCommand.Create() };
        return RunnerCommand.RunAsync(command, arguments, "dotnet run -c Release --project tests/CrossProcess -- torture --seconds 60");
    }
}
