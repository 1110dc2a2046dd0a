using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports numbers that two cases have.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DuplicateCaseNumberAnalyzer() : SourceRuleAnalyzer(Rules.DuplicateCaseNumber);
