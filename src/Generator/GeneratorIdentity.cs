namespace BufferedMessages.Generator;

/// <summary>The name and version of the generator, as generated code states them.</summary>
internal static class GeneratorIdentity
{
    public const string Name = "BufferedMessages.Generator";

    public static string Version { get; } = typeof(GeneratorIdentity).Assembly.GetName().Version.ToString(fieldCount: 3);
}
