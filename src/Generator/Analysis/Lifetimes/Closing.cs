using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Where a lifetime ended.</summary>
/// <param name="Position">The place in the file; of several the first one is told.</param>
/// <param name="After">What happened, as in "is used after 'delivery' was closed".</param>
/// <param name="Before">The remedy, as in "use it before 'delivery.Commit'".</param>
/// <param name="Rule">The rule that a later use breaks.</param>
internal sealed record Closing(int Position, string After, string Before, DiagnosticDescriptor Rule);
