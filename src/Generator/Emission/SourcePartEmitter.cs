using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the part of the source type: size and writer, and the nested infrastructure that other messages call.</summary>
internal sealed class SourcePartEmitter(SourceWriter code, SourcePlan plan)
{
    private readonly SourceModel _source = plan.Source;
    private readonly MessageModel _message = plan.Source.Message;

    private string Interface => $"{RuntimeNames.Product}IBufferedMessageSource<{_message.Type}>";

    /// <summary>Emits the partial declaration.</summary>
    public void Emit()
    {
        using (code.Block($"{_source.Declaration} : {Interface}"))
        {
            code.Line($"static {RuntimeNames.Schema} {Interface}.Schema => {GeneratedNames.Block}.Schema;");
            code.Line();
            code.Lines(
                $$"""
                /// <inheritdoc/>
                {{RuntimeNames.GeneratedCode}}
                {{Head(GeneratedNames.CalculateSize, "", _source.ExplicitCalculateSize)}} => {{RuntimeNames.Size}}.Of<{{RuntimeNames.SourceAndBlockOf(_message)}}>(this);

                /// <inheritdoc/>
                {{RuntimeNames.GeneratedCode}}
                {{Head(GeneratedNames.Write, "global::System.Span<byte> destination", _source.ExplicitWrite)}} => {{RuntimeNames.Writer}}.Write<{{RuntimeNames.SourceAndBlockOf(_message)}}>(this, destination);
                """);
            UnionInterfaceEmitter.Emit(code, _source.UnionInterfaces);
            code.Line();
            code.Line("/// <summary>Infrastructure for generated code: the layout of the block.</summary>");
            code.Line(RuntimeNames.GeneratedCode);
            code.Line(RuntimeNames.Hidden);
            if (_message.UsesObsolete)
            {
                code.Line(RuntimeNames.Obsolete);
            }

            new BlockEmitter(code, plan.Message, _source.OrdinalError).Emit($"public readonly struct {GeneratedNames.Block}");
        }
    }

    private string Head(string name, string parameters, bool isExplicit) =>
        isExplicit ? $"int {Interface}.{name}({parameters})" : $"public int {name}({parameters})";
}
