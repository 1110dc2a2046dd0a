namespace BufferedMessages.Generator;

/// <summary>How generated code names its maker.</summary>
internal static class GeneratorIdentity
{
    public const string Name = "BufferedMessages.Generator";

    public static string Version { get; } = typeof(GeneratorIdentity).Assembly.GetName().Version.ToString(fieldCount: 3);
}
