namespace BufferedMessages.Generator.Parsing;

/// <summary>The rules that a source type can break, by their public ids.</summary>
internal static class Problem
{
    public const string NotPartial = "BMSG0001";
    public const string ContainerNotPartial = "BMSG0002";
    public const string NotConstructible = "BMSG0003";
    public const string Generic = "BMSG0004";
    public const string FileLocal = "BMSG0005";
    public const string NameTaken = "BMSG0006";
    public const string NoMembers = "BMSG0007";
    public const string LanguageTooOld = "BMSG0008";
    public const string UnsupportedType = "BMSG0020";
    public const string NotASource = "BMSG0021";
    public const string UnstableLayout = "BMSG0022";
    public const string NoGetter = "BMSG0024";
    public const string DuplicateOrdinal = "BMSG0025";
    public const string MissingOrdinal = "BMSG0026";
    public const string OrdinalOutOfRange = "BMSG0027";
    public const string UnsupportedKey = "BMSG0028";
    public const string NotStored = "BMSG0029";
    public const string AttributeWithoutEffect = "BMSG0031";
    public const string NotAUnion = "BMSG0040";
    public const string NoCases = "BMSG0041";
    public const string DuplicateCaseNumber = "BMSG0042";
    public const string CaseNumberOutOfRange = "BMSG0043";
    public const string CaseNotASource = "BMSG0044";
    public const string UnfitCase = "BMSG0045";
    public const string DuplicateCase = "BMSG0046";
    public const string MissingCase = "BMSG0047";
    public const string LayoutNotInFile = "BMSG0050";
    public const string LayoutChanged = "BMSG0051";
    public const string MemberRemoved = "BMSG0052";
    public const string UseAfterClose = "BMSG0060";
    public const string NotDisposed = "BMSG0061";
    public const string ViewOfStored = "BMSG0062";
    public const string UseAfterGivenBack = "BMSG0063";
    public const string ComparisonAllocates = "BMSG0064";
    public const string QueueType = "BMSG0070";
    public const string GeneratorFailed = "BMSG9001";
}
