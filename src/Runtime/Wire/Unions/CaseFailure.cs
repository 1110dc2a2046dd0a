using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Wire;

/// <summary>The exceptions for cases that a union does not have. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CaseFailure
{
    /// <summary>Throws for an object whose type is not a declared case.</summary>
    [DoesNotReturn]
    public static void ThrowUndeclared<TUnion>(TUnion source) => throw new UndeclaredCaseException(typeof(TUnion), source!.GetType());

    /// <summary>Throws for the case of a newer program.</summary>
    [DoesNotReturn]
    public static TUnion ThrowUnknown<TUnion>(CaseReader found) => throw new UnknownCaseException(typeof(TUnion), found.Number);
}
