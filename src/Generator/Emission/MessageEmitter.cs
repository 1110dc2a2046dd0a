namespace BufferedMessages.Generator.Emission;

/// <summary>Emits the file of one source type.</summary>
internal static class MessageEmitter
{
    /// <summary>Emits the file.</summary>
    public static EmittedFile Emit(MessagePlan plan)
    {
        var members = EmittedMember.Of(plan);
        var message = plan.Message;
        var frame = new FileFrame(message.FullName, message.HintName, message.Namespace, message.Containers, message.OrdinalError);
        return frame.Around(code =>
        {
            new SourcePartEmitter(code, plan, members).Emit();
            code.Line();
            new ViewEmitter(code, plan, members).Emit();
            if (message.Writer is { } writer)
            {
                code.Line();
                new InPlaceWriterEmitter(code, message, writer, members).Emit();
            }
        });
    }
}
