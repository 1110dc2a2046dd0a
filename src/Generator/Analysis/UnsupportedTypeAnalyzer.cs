using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Analysis;

/// <summary>Reports members of types that the wire format has no kind for.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnsupportedTypeAnalyzer() : SourceRuleAnalyzer(Rules.UnsupportedType);
