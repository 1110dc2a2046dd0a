using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>Extensions that read the case of a union as the case's view. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CaseReaderExtensions
{
    /// <summary>Returns a union as JSON in one line, truncated to a maximum length. Does not throw for malformed bytes, but says that they are.</summary>
    public static string ToText(this CaseReader found, MessageSchema schema) => MessageJson.ToText(found, schema);

    /// <summary>Reads the union as one of its cases, if it holds that case.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead<TView>(this CaseReader found, int number, [MaybeNullWhen(false)] out TView view)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var isCase = found.Number == number;
        view = TView.Create(isCase ? found.Block : default);
        return isCase;
    }

    /// <summary>Reads the union as one of its cases.</summary>
    /// <exception cref="InvalidOperationException">It holds another case, or is null.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TView Read<TView>(this CaseReader found, int number)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        if (found.Number != number)
        {
            ThrowOtherCase(found.Number, number);
        }

        return TView.Create(found.Block);
    }

    [DoesNotReturn]
    private static void ThrowOtherCase(int actual, int asked) =>
        throw new InvalidOperationException(
            actual == 0
                ? "The union is null. Check IsNull or Case first."
                : $"The union holds the case {actual}, not {asked}. Check Case first, or use the method that tries.");
}
