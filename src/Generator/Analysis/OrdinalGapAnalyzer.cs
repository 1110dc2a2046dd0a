using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports ordinals that leave a gap.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class OrdinalGapAnalyzer() : SourceRuleAnalyzer(Rules.OrdinalGap);
