using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports values whose bytes mean nothing to another process.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnstableLayoutAnalyzer() : SourceRuleAnalyzer(Rules.UnstableLayout);
