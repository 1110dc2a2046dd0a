using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources that derive from a union without being one of its cases.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MissingCaseAnalyzer() : SourceRuleAnalyzer(Rules.MissingCase);
