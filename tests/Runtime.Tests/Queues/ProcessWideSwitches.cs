namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>
/// The classes that set the switch for polling or listen to activities, or need it unset or no listener: both hold for the whole process, so these classes run one after the other.
/// </summary>
[CollectionDefinition(Name)]
public sealed class ProcessWideSwitches
{
    public const string Name = "Process-wide switches";
}
