using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports numbers of cases that are out of range or reserved.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class CaseNumberOutOfRangeAnalyzer() : SourceRuleAnalyzer(Rules.CaseNumberOutOfRange);
