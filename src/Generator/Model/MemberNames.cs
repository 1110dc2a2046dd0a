namespace BufferedMessages.Generator.Model;

/// <summary>The names that generated code gives to what belongs to one member.</summary>
/// <param name="Local">A local variable, as C# code writes it.</param>
/// <param name="Padding">The padding of its struct, in the block.</param>
internal sealed record MemberNames(string Local, string Padding);
