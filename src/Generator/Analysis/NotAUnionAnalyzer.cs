using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports unions that can have objects of their own.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NotAUnionAnalyzer() : SourceRuleAnalyzer(Rules.NotAUnion);
