using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.TestKit;

/// <summary>The settings of a project that a test makes.</summary>
public sealed record ProjectOptions
{
    /// <summary>Whether reference types that may be null are told apart from others.</summary>
    public bool Nullable { get; init; } = true;

    /// <summary>Whether integer overflow throws.</summary>
    public bool CheckOverflow { get; init; }

    /// <summary>Whether XML documentation is read and checked.</summary>
    public bool Documentation { get; init; } = true;

    /// <summary>Whether the assembly complies with the Common Language Specification.</summary>
    public bool ClsCompliant { get; init; }

    /// <summary>The language version; the default is the lowest that views need.</summary>
    public LanguageVersion LanguageVersion { get; init; } = LanguageVersion.CSharp13;

    /// <summary>The assembly's name.</summary>
    public string AssemblyName { get; init; } = "TestProject";
}
