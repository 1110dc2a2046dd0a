using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members of types that lack the attribute.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotASourceAnalyzer() : SourceRuleAnalyzer(Rules.NotASource);
