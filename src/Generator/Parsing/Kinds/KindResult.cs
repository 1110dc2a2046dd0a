using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The kind of a type, or why it has none.</summary>
/// <param name="Kind">The kind; null if the type cannot be stored.</param>
/// <param name="Rule">The rule it breaks; null if the compiler reports the type already.</param>
/// <param name="Reason">Why, as the rule's message says it.</param>
internal readonly record struct KindResult(MemberKind? Kind, string? Rule, string? Reason)
{
    /// <summary>The compiler, or another rule, has an error for the type already.</summary>
    public static KindResult Silent => default;

    public static implicit operator KindResult(MemberKind kind) => new(kind, Rule: null, Reason: null);

    public static KindResult Unsupported(string reason) => new(Kind: null, Problem.UnsupportedType, reason);

    public static KindResult UnsupportedKey(string keyType) => new(Kind: null, Problem.UnsupportedKey, keyType);

    public static KindResult NotASource(string typeName) => new(Kind: null, Problem.NotASource, typeName);

    public static KindResult Unstable(string reason) => new(Kind: null, Problem.UnstableLayout, reason);

    /// <summary>The kind of something that is made of this one.</summary>
    public KindResult Then(Func<MemberKind, MemberKind> make) => Kind is null ? this : make(Kind);

    /// <inheritdoc cref="Then(Func{MemberKind, MemberKind})"/>
    public KindResult Then(Func<MemberKind, KindResult> make) => Kind is null ? this : make(Kind);
}
