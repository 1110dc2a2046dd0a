using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports dictionaries and sets whose keys cannot be looked up by their bytes.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnsupportedKeyAnalyzer() : SourceRuleAnalyzer(Rules.UnsupportedKey);
