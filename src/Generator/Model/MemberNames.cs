namespace BufferedMessages.Generator.Model;

/// <summary>The names of the generated declarations that belong to one member.</summary>
/// <param name="Local">A local variable, in C# syntax.</param>
/// <param name="Padding">The type in the block with the padding of its struct.</param>
internal sealed record MemberNames(string Local, string Padding);
