using System.CommandLine;

namespace BufferedMessages.Tool.Tests;

/// <summary>Calls of no command, for the tests of parts.</summary>
internal static class Calls
{
    /// <summary>Makes a call without arguments.</summary>
    public static Call Of(ToolConsole console)
    {
        var root = new RootCommand();
        CommonOptions.AddTo(root);
        return new Call(root.Parse(""), console, CancellationToken.None);
    }
}
