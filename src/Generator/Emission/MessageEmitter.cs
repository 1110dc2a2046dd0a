namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the file of one source type.</summary>
internal static class MessageEmitter
{
    /// <summary>Emits the file.</summary>
    public static EmittedFile Emit(SourcePlan plan)
    {
        var source = plan.Source;
        var frame = new FileFrame(source.Message.FullName, source.HintName, source.Namespace, source.Containers, source.Diagnostics, source.IsClsCompliant);
        return frame.Around(code =>
        {
            new SourcePartEmitter(code, plan).Emit();
            code.Line();
            new ViewEmitter(code, plan.Message, source.OrdinalError).Emit();
            if (source.Writer is { } writer)
            {
                code.Line();
                new InPlaceWriterEmitter(code, source, writer, EmittedMember.Of(plan.Message)).Emit();
            }
        });
    }
}
