using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>
/// Emits how a type is written as the interfaces that it implements and that are unions. Without it, its own methods would stand for
/// theirs, as they have the same names, but they write another message.
/// </summary>
internal static class UnionInterfaceEmitter
{
    /// <summary>Emits two methods for each interface.</summary>
    public static void Emit(SourceWriter code, EquatableArray<string> unions)
    {
        foreach (var union in unions)
        {
            var source = $"{RuntimeNames.Product}IBufferedMessageSource<{union}>";
            code.Line();
            code.Lines(
                $$"""
                {{RuntimeNames.GeneratedCode}}
                int {{source}}.{{GeneratedNames.CalculateSize}}() => {{RuntimeNames.Size}}.Of<{{RuntimeNames.SourceAndRootOf(union)}}>(this);

                {{RuntimeNames.GeneratedCode}}
                int {{source}}.{{GeneratedNames.Write}}(global::System.Span<byte> destination) => {{RuntimeNames.Writer}}.Write<{{RuntimeNames.SourceAndRootOf(union)}}>(this, destination);
                """);
        }
    }
}
