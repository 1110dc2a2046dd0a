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
    public const string Place = Wire + "SourcePlace";
    public const string BlockWriter = Wire + "BlockWriter";
    public const string ObjectReader = Wire + "ObjectReader";
    public const string Element = Product + "IBufferedElement";
    public const string View = Product + "IBufferedMessage";
    public const string VerifiedBlock = Wire + "IVerifiedBlock";
    public const string VerifiedPayload = Wire + "IVerifiedPayload";
    public const string VerifiedUnion = Wire + "IVerifiedUnion";
    public const string UnionCases = Wire + "IUnionCases";
    public const string CaseReader = Wire + "CaseReader";
    public const string CaseFailure = Wire + "CaseFailure";
    public const string ReadableBlock = Wire + "IReadableBlock";
    public const string Verifier = Wire + "MessageVerifier";
    public const string BlockReader = Wire + "BlockReader";
    public const string Elements = Wire + "SourceElements.Of";
    public const string Dictionary = "global::System.Collections.Generic.Dictionary";
    public const string HashSet = "global::System.Collections.Generic.HashSet";
    public const string ReadOnlySpan = "global::System.ReadOnlySpan";
    public const string HiddenFromDebugger = "[global::System.Diagnostics.DebuggerBrowsable(global::System.Diagnostics.DebuggerBrowsableState.Never)]";
    public const string Hidden = "[global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never)]";
    public const string Inlined = "[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]";
    public const string NotInlined = "[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]";

    /// <summary>Allows code to use obsolete members, even if that is an error for other code.</summary>
    public const string Obsolete = "[global::System.Obsolete]";

    public static string GeneratedCode { get; } =
        $"[global::System.CodeDom.Compiler.GeneratedCode(\"{GeneratorIdentity.Name}\", \"{GeneratorIdentity.Version}\")]";

    /// <summary>Gets the block type of a union.</summary>
    public static string BlockOf(string union) => $"{union}.{GeneratedNames.Block}";

    /// <summary>Gets the type arguments of the runtime's methods for unions.</summary>
    public static string SourceAndBlockOf(string union) => $"{union}, {BlockOf(union)}";

    /// <summary>Gets the type arguments of the runtime's methods for a message that is a union.</summary>
    public static string SourceAndRootOf(string union) => $"{union}, {Wire}UnionRoot<{SourceAndBlockOf(union)}>";

    /// <summary>Gets the type arguments of the runtime's methods for messages.</summary>
    public static string SourceAndBlockOf(MessageModel message) => $"{message.Type}, {message.Block}";

    /// <summary>Gets the type arguments for a message in its C# form.</summary>
    public static string SourceAndBlockOf(MessageKind message) =>
        message.Form == MessageForm.NullableValue ? NullableAndBlockOf(message) : $"{message.Type}, {message.Block}";

    /// <summary>Gets the type arguments for a nullable struct.</summary>
    public static string NullableAndBlockOf(MessageKind message) => $"{message.Type}?, {Wire}NullableBlock<{message.Type}, {message.Block}>";
}
