using System.Collections.Immutable;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The descriptors of all rules. docs/diagnostics has a page for each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor NotPartial = Error(
        Problem.NotPartial,
        "Message source is not partial",
        "'{0}' is not partial, so that the message code cannot be added to it; declare it partial");

    public static readonly DiagnosticDescriptor ContainerNotPartial = Error(
        Problem.ContainerNotPartial,
        "Type that contains a message source is not partial",
        "'{1}', which contains '{0}', is not partial, so that the message code cannot be added; declare every containing type partial");

    public static readonly DiagnosticDescriptor NotConstructible = Error(
        Problem.NotConstructible,
        "Message source has no objects",
        "'{0}' is {1}, so that there is no object to write or to read; put the attribute on a class, struct or record that can be created");

    public static readonly DiagnosticDescriptor Generic = Error(
        Problem.Generic,
        "Message source is generic",
        "'{0}' is generic or lies in a generic type, and a message has one layout only; write a type for each use");

    public static readonly DiagnosticDescriptor FileLocal = Error(
        Problem.FileLocal,
        "Message source is file-local",
        "'{0}' is file-local or lies in a file-local type, so that code in another file cannot add to it; declare it internal");

    public static readonly DiagnosticDescriptor NameTaken = Error(
        Problem.NameTaken,
        "Name of a generated declaration is taken",
        "{0} needs the name '{1}', but {2}");

    public static readonly DiagnosticDescriptor NoMembers = new(
        Problem.NoMembers,
        "Message source has no members",
        "'{0}' has no public property or field that is stored, so that its messages are empty; make members public, or remove the attribute",
        "Usage",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpLink(Problem.NoMembers));

    public static readonly DiagnosticDescriptor UnsupportedType = Error(
        Problem.UnsupportedType,
        "Type of a member is not supported",
        "'{0}.{1}' of type '{2}' cannot be stored: {3}, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor NotASource = Error(
        Problem.NotASource,
        "Type of a member is not a message source",
        "'{0}.{1}' cannot be stored, because '{3}' is not a message source; add [BufferedMessageSource] to it, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor UnstableLayout = Error(
        Problem.UnstableLayout,
        "Value has no stable layout",
        "'{0}.{1}' of type '{2}' cannot be stored as it lies in memory: {3}, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor NoGetter = Error(
        Problem.NoGetter,
        "Member has no public getter",
        "'{0}.{1}' has no public getter, so that its value cannot be stored; add one, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor DuplicateOrdinal = Error(
        Problem.DuplicateOrdinal,
        "Ordinal is used twice",
        "'{0}.{1}' has the ordinal {2}, which '{3}' has too, so that the layout is not defined; give it another one");

    public static readonly DiagnosticDescriptor MissingOrdinal = Error(
        Problem.MissingOrdinal,
        "Ordinals on some members only",
        "'{0}.{1}' has no [BufferedMember], but other members have one, so that the layout is not defined; number all members or none");

    public static readonly DiagnosticDescriptor OrdinalGap = Error(
        Problem.OrdinalGap,
        "Ordinal is out of range",
        "'{0}.{1}' has the ordinal {2}, which is not between 0 and {3}, so that the ordinals have a gap; number the members from 0 on without gaps");

    public static readonly DiagnosticDescriptor UnsupportedKey = Error(
        Problem.UnsupportedKey,
        "Type of a key is not supported",
        "'{0}.{1}' of type '{2}' cannot be stored, because '{3}' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor GeneratorFailed = Error(
        Problem.GeneratorFailed,
        "Generator failed for a type",
        "'{0}' got no message code, because the generator failed: {1}; please report it with the type's declaration");

    /// <summary>All rules.</summary>
    public static ImmutableArray<DiagnosticDescriptor> All { get; } =
    [
        NotPartial, ContainerNotPartial, NotConstructible, Generic, FileLocal, NameTaken, NoMembers,
        UnsupportedType, NotASource, UnstableLayout, NoGetter, DuplicateOrdinal, MissingOrdinal, OrdinalGap,
        UnsupportedKey, GeneratorFailed,
    ];

    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        new(id, title, message, "Usage", DiagnosticSeverity.Error, isEnabledByDefault: true, helpLinkUri: HelpLink(id));

    private static string HelpLink(string id) => $"docs/diagnostics/{id}.md";
}
