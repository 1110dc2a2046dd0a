using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The names of the runtime that generated code calls.</summary>
internal static class RuntimeNames
{
    public const string Product = "global::BufferedMessages.";
    public const string Wire = Product + "Wire.";
    public const string Schema = Product + "MessageSchema";
    public const string Size = Wire + "MessageSize";
    public const string Writer = Wire + "MessageWriter";
    public const string ObjectReader = Wire + "ObjectReader";
    public const string ReadableBlock = Wire + "IReadableBlock";
    public const string Verifier = Wire + "MessageVerifier";
    public const string BlockReader = Wire + "BlockReader";
    public const string Elements = Wire + "SourceElements.Of";
    public const string ReadOnlySpan = "global::System.ReadOnlySpan";
    public const string Hidden = "[global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never)]";

    public static string GeneratedCode { get; } =
        $"[global::System.CodeDom.Compiler.GeneratedCode(\"{GeneratorIdentity.Name}\", \"{GeneratorIdentity.Version}\")]";

    /// <summary>The block of a message type.</summary>
    public static string BlockOf(string type) => type + ".BufferedBlock";

    /// <summary>The type arguments of the runtime's methods for messages.</summary>
    public static string SourceAndBlockOf(string type) => $"{type}, {BlockOf(type)}";

    /// <summary>The same for a struct that may be null.</summary>
    public static string NullableAndBlockOf(string type) => $"{type}?, {Wire}NullableBlock<{SourceAndBlockOf(type)}>";

    /// <summary>The same for a message as C# holds it.</summary>
    public static string SourceAndBlockOf(MessageKind message) =>
        message.Form == MessageForm.NullableValue ? NullableAndBlockOf(message.Type) : SourceAndBlockOf(message.Type);
}
