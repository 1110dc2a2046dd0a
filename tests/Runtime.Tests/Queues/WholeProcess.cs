namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The classes that count the threads of the process, or what all of them allocate: no other test runs at the same time.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class WholeProcess
{
    public const string Name = "Whole process";
}
