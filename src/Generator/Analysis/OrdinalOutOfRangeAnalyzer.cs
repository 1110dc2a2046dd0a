using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports ordinals that leave a gap or are reserved.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class OrdinalOutOfRangeAnalyzer() : SourceRuleAnalyzer(Rules.OrdinalOutOfRange);
