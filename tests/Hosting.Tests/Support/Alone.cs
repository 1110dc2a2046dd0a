namespace BufferedMessages.Hosting.Tests;

/// <summary>The tests that listen to all handlers of the process, or that such listeners disturb. They run one after the other, when the others are done.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    public const string Name = "alone";
}
