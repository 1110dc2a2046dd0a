namespace BufferedMessages.Generator;

/// <summary>The names of the generator's steps. Tests use them to see which steps ran again.</summary>
internal static class GeneratorStep
{
    public const string Language = nameof(Language);
    public const string Parse = nameof(Parse);
    public const string Plan = nameof(Plan);
    public const string Emit = nameof(Emit);
    public const string ParseUnion = nameof(ParseUnion);
    public const string EmitUnion = nameof(EmitUnion);
}
