using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The descriptors of all rules. docs/diagnostics has a page for each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor NotPartial = Error(
        "BMSG0001",
        "Message source is not partial",
        "Type '{0}' must be partial so that message code can be generated for it");

    public static readonly DiagnosticDescriptor ContainerNotPartial = Error(
        "BMSG0002",
        "Containing type of a message source is not partial",
        "Type '{1}' must be partial, because it contains the message source '{0}'; declare every containing type partial");

    public static readonly DiagnosticDescriptor NotConstructible = Error(
        "BMSG0003",
        "Message source cannot be instantiated",
        "'{0}' is {1}, so it has no objects to write or read; put the attribute on a class, struct or record that can be instantiated");

    public static readonly DiagnosticDescriptor Generic = Error(
        "BMSG0004",
        "Message source is generic",
        "'{0}' {1}");

    public static readonly DiagnosticDescriptor FileLocal = Error(
        "BMSG0005",
        "Message source is file-local",
        "'{0}' is file-local or nested in a file-local type, so code in another file cannot extend it; declare it internal");

    public static readonly DiagnosticDescriptor NameTaken = Error(
        "BMSG0006",
        "Name of a generated declaration is already used",
        "{0} needs the name '{1}', but {2}");

    public static readonly DiagnosticDescriptor NoMembers = Warning(
        "BMSG0007",
        "Message source has no members",
        "'{0}' has no public property or field that can be stored, so its messages are empty; make members public, or remove the attribute");

    public static readonly DiagnosticDescriptor LanguageTooOld = Error(
        "BMSG0008",
        "Language version is too old",
        "No message code is generated for '{0}', because views need C# 13 and this project is compiled as C# {1}; set LangVersion to 13 or later, or remove it");

    public static readonly DiagnosticDescriptor DerivesFromCollection = Error(
        "BMSG0009",
        "Message source derives from a collection",
        "'{0}' derives from the collection '{1}', whose elements would not be stored; hold it in a member");

    public static readonly DiagnosticDescriptor UnsupportedType = Error(
        "BMSG0020",
        "Member type is not supported",
        "'{0}.{1}' of type '{2}' cannot be stored: {3}, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor NotASource = Error(
        "BMSG0021",
        "Member type is not a message source",
        "'{0}.{1}' cannot be stored, because '{3}' is not a message source; add [BufferedMessageSource] to it, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor UnstableLayout = Error(
        "BMSG0022",
        "Value has no stable layout",
        "'{0}.{1}' of type '{2}' cannot be stored by its memory layout: {3}, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor NoGetter = Error(
        "BMSG0024",
        "Member has no public getter",
        "'{0}.{1}' has no public getter, so its value cannot be stored; add one, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor DuplicateOrdinal = Fatal(
        "BMSG0025",
        "Ordinal is used twice",
        "'{0}.{1}' has ordinal {2}, which '{3}' has too, so the layout is undefined; give it another ordinal");

    public static readonly DiagnosticDescriptor MissingOrdinal = Fatal(
        "BMSG0026",
        "Only some members have ordinals",
        "'{0}.{1}' has no [BufferedMember], but other members do, so the layout is undefined; number all members or none");

    public static readonly DiagnosticDescriptor OrdinalOutOfRange = Fatal(
        "BMSG0027",
        "Ordinal is out of range or reserved",
        "{0} has ordinal {1}, {2}");

    public static readonly DiagnosticDescriptor NotStored = Warning(
        "BMSG0029",
        "Member is not stored",
        "'{0}.{1}' is not stored in messages of '{2}', because {3}, or exclude it with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor AttributeWithoutEffect = Warning(
        "BMSG0031",
        "Attribute has no effect",
        "{0} has no effect: {1}; remove it");

    public static readonly DiagnosticDescriptor UnfitConverter = Error(
        "BMSG0032",
        "Converter does not fit the member",
        "'{0}.{1}' of type '{2}' cannot be converted: {3}");

    public static readonly DiagnosticDescriptor UnfitConverterOfAssembly = Error(
        "BMSG0033",
        "Converter of the assembly cannot be used",
        "The converter '{0}' of the assembly cannot be used: {1}");

    public static readonly DiagnosticDescriptor NotAUnion = Error(
        "BMSG0040",
        "Type cannot be a union",
        "'{0}' cannot be a union, because {1}");

    public static readonly DiagnosticDescriptor NoCases = Warning(
        "BMSG0041",
        "Union has no cases",
        "'{0}' has no cases, so nothing can be written as it; declare its cases with [BufferedCase<...>(...)]");

    public static readonly DiagnosticDescriptor DuplicateCaseNumber = Fatal(
        "BMSG0042",
        "Case number is used twice",
        "The case '{0}' of '{1}' has number {2}, which '{3}' has too, so a message could not identify its case; give it another number");

    public static readonly DiagnosticDescriptor CaseNumberOutOfRange = Fatal(
        "BMSG0043",
        "Case number is out of range or reserved",
        "{0} of '{1}' has number {2}, {3}");

    public static readonly DiagnosticDescriptor CaseNotASource = Error(
        "BMSG0044",
        "Case type is not a message source",
        "'{1}' cannot be a case of '{0}', because it is not a message source; add [BufferedMessageSource] to it");

    public static readonly DiagnosticDescriptor UnfitCase = Error(
        "BMSG0045",
        "Type cannot be a case",
        "'{0}' cannot be a case of '{1}': {2}");

    public static readonly DiagnosticDescriptor DuplicateCase = Error(
        "BMSG0046",
        "Case is declared twice",
        "'{0}' is already a case of '{1}', and an object is written as one case only; remove one of the two");

    public static readonly DiagnosticDescriptor MissingCase = Warning(
        "BMSG0047",
        "Message source is not a case of its union",
        "'{0}' is a '{1}' but not a case of that union, so its objects cannot be written as a '{1}'; declare it as a case");

    public static readonly DiagnosticDescriptor LayoutNotInFile = Warning(
        "BMSG0050",
        "Layout is not in the layout file",
        "The layout of '{0}' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: {1}; add it to the file");

    public static readonly DiagnosticDescriptor LayoutChanged = Error(
        "BMSG0051",
        "Shipped layout has changed",
        "The layout of '{0}' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: {1}; keep the shipped number and type of each member or case, and add a new one instead of changing one");

    public static readonly DiagnosticDescriptor MemberRemoved = Error(
        "BMSG0052",
        "Shipped member was removed",
        "'{0}' no longer has {1}, which BufferedMessages.Layout.txt lists with {2}, so another one would take its place; reserve it with {3} on the type");

    public static readonly DiagnosticDescriptor UseAfterClose = Error(
        "BMSG0060",
        "Use after commit or dispose",
        "'{0}' is {1} after {2}, {3}; {4}");

    public static readonly DiagnosticDescriptor NotDisposed = Warning(
        "BMSG0061",
        "Delivery or claim is not disposed",
        "{0} is not disposed, so {1}; {2}");

    public static readonly DiagnosticDescriptor ViewOfStored = Error(
        "BMSG0062",
        "Kept view is not limited by the compiler",
        "'{0}' is kept, but {1}, so the compiler lets the view outlive its bytes; {2}");

    public static readonly DiagnosticDescriptor UseAfterGivenBack = Error(
        "BMSG0063",
        "Use after the memory was returned",
        "'{0}' is {1} after {2}, {3}; {4}");

    public static readonly DiagnosticDescriptor ComparisonAllocates = Warning(
        "BMSG0064",
        "String is allocated for a comparison",
        "A string is created from '{0}' only for a comparison; compare the view's string itself, which does not allocate");

    public static readonly DiagnosticDescriptor ViewOverAwait = Error(
        "BMSG0065",
        "View is kept over an await",
        "'{0}' is {1}, which does not compile, because no {2} may be kept over an await; {3}");

    public static readonly DiagnosticDescriptor QueueType = Error(
        "BMSG0070",
        "Queue is opened with the wrong type",
        "{0} does not compile, because {1}; {2}");

    public static readonly DiagnosticDescriptor UnsupportedKey = Error(
        "BMSG0028",
        "Key type is not supported",
        "'{0}.{1}' of type '{2}' cannot be stored, because '{3}' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]");

    public static readonly DiagnosticDescriptor GeneratorFailed = Error(
        "BMSG9001",
        "Generator failed for a type",
        "No message code is generated for '{0}', because the generator failed: {1}; please report it with the type's declaration");

    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        new(id, title, message, "Usage", DiagnosticSeverity.Error, isEnabledByDefault: true, helpLinkUri: RulePages.AddressOf(id));

    // Mistakes that would change the meaning of messages cannot be suppressed.
    private static DiagnosticDescriptor Fatal(string id, string title, string message) =>
        new(id, title, message, "Usage", DiagnosticSeverity.Error, isEnabledByDefault: true, description: null, RulePages.AddressOf(id), WellKnownDiagnosticTags.NotConfigurable);

    private static DiagnosticDescriptor Warning(string id, string title, string message) =>
        new(id, title, message, "Usage", DiagnosticSeverity.Warning, isEnabledByDefault: true, helpLinkUri: RulePages.AddressOf(id));
}
