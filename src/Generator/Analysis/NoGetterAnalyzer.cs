using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members without a public getter.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NoGetterAnalyzer() : SourceRuleAnalyzer(Rules.NoGetter);
