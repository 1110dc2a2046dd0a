using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports ordinals that two members have.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DuplicateOrdinalAnalyzer() : SourceRuleAnalyzer(Rules.DuplicateOrdinal);
