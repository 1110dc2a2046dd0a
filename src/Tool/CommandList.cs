using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>The commands, in the order of the help. A command is one file in the folder of its group, and one line here.</summary>
internal static class CommandList
{
    public static IEnumerable<Command> Create() =>
    [
        LsCommand.Create(),
        InfoCommand.Create(),
        SchemaCommand.Create(),
        TailCommand.Create(),
        DumpCommand.Create(),
        GrepCommand.Create(),
        StatCommand.Create(),
        TopCommand.Create(),
        ServeCommand.Create(),
        NameCommand.Create(),
        DeadCommand.Create(),
        ExplainCommand.Create(),
        CacheCommand.Create(),
        BenchCommand.Create(),
        VerifyCommand.Create(),
        RepairCommand.Create(),
        ExportCommand.Create(),
        ImportCommand.Create(),
        ReplayCommand.Create(),
    ];
}
