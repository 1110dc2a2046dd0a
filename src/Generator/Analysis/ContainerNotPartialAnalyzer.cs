using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports sources inside of types that are not partial.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ContainerNotPartialAnalyzer() : SourceRuleAnalyzer(Rules.ContainerNotPartial);
