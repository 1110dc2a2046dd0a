using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports generic sources.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class GenericAnalyzer() : SourceRuleAnalyzer(Rules.Generic);
