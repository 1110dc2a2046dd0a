using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the part of the source type: size and writer, and the nested infrastructure that other messages call.</summary>
internal sealed class SourcePartEmitter(SourceWriter code, SourcePlan plan)
{
    private readonly SourceModel _source = plan.Source;
    private readonly MessageModel _message = plan.Source.Message;

    /// <summary>Emits the partial declaration.</summary>
    public void Emit()
    {
        using (code.Block($"{_source.Declaration} : {SourceInterfaceCode.BasesOf(_message.Type, _source.UnionInterfaces)}"))
        {
            SourceInterfaceCode.Emit(
                code, _message.Type, $"{_message.Type}, {GeneratedNames.Block}", _source.ExplicitCalculateSize, _source.ExplicitWrite, _source.UnionInterfaces);
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
}
