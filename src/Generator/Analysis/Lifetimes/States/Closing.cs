using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The end of a lifetime.</summary>
/// <param name="Position">The position in the file; of several ends, the first one is reported.</param>
/// <param name="After">The event, as in "is used after 'delivery' was closed".</param>
/// <param name="Before">The remedy, as in "use it before 'delivery.Commit'".</param>
/// <param name="Rule">The rule that a later use breaks.</param>
internal sealed record Closing(int Position, string After, string Before, DiagnosticDescriptor Rule);
