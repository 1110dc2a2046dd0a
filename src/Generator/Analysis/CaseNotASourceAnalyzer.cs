using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports cases whose types lack the attribute.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class CaseNotASourceAnalyzer() : SourceRuleAnalyzer(Rules.CaseNotASource);
