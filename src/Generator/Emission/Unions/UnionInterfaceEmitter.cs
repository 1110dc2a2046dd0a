using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>
/// The emitter of explicit implementations for the unions that a type implements. Without them, the type's own methods would implement those of the
/// unions implicitly, but they write another message.
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
