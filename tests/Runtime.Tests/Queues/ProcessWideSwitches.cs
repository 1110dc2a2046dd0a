namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>
/// The classes that set the switch for polling, or need it unset: a switch holds for the whole process, so they run one after the other.
/// </summary>
[CollectionDefinition(Name)]
public sealed class ProcessWideSwitches
{
    public const string Name = "Process-wide switches";
}
