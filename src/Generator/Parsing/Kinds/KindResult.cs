using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The kind of a type, or the reason why it has none.</summary>
/// <param name="Kind">The kind; null if the type cannot be stored.</param>
/// <param name="Rule">The rule it breaks; null if the compiler reports the type already.</param>
/// <param name="Reason">The reason, as an argument of the rule's message.</param>
internal readonly record struct KindResult(MemberKind? Kind, DiagnosticDescriptor? Rule, string? Reason)
{
    /// <summary>Gets the reason as a sentence of its own, even if the argument of the rule's message is only a name.</summary>
    public string? Explanation =>
        ReferenceEquals(Rule, Rules.NotASource) ? $"'{Reason}' is not a message source; add [BufferedMessageSource] to it"
        : ReferenceEquals(Rule, Rules.UnsupportedKey) ? $"'{Reason}' cannot be the key of a dictionary or the element of a set; use another type of key"
        : Reason;

    /// <summary>Gets the result for a type that the compiler or another rule already reports.</summary>
    public static KindResult Silent => default;

    public static implicit operator KindResult(MemberKind kind) => new(kind, Rule: null, Reason: null);

    public static KindResult Unsupported(string reason) => new(Kind: null, Rules.UnsupportedType, reason);

    public static KindResult UnsupportedKey(string keyType) => new(Kind: null, Rules.UnsupportedKey, keyType);

    public static KindResult NotASource(string typeName) => new(Kind: null, Rules.NotASource, typeName);

    public static KindResult Unstable(string reason) => new(Kind: null, Rules.UnstableLayout, reason);

    public static KindResult BadConverter(string reason) => new(Kind: null, Rules.UnfitConverter, reason);

    /// <summary>Derives a kind from this one; passes a failure on.</summary>
    public KindResult Then(Func<MemberKind, MemberKind> make) => Kind is null ? this : make(Kind);

    /// <inheritdoc cref="Then(Func{MemberKind, MemberKind})"/>
    public KindResult Then(Func<MemberKind, KindResult> make) => Kind is null ? this : make(Kind);
}
