namespace BufferedMessages.Queues;

/// <summary>A step of a repair.</summary>
/// <param name="Text">The step, as a clause without a subject.</param>
/// <param name="Take">Executes the step. The caller holds the membership lock, and no participant is alive.</param>
internal sealed record RepairStep(string Text, Action Take);
