using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports types that cannot be cases of the union.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnfitCaseAnalyzer() : SourceRuleAnalyzer(Rules.UnfitCase);
