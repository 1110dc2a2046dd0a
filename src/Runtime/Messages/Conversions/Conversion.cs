using System.Buffers;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>The calls of converters. If a converter throws for a stored value, the message holds a value that no writer with this converter stores.</summary>
internal static class Conversion
{
    private const int NoIndex = -1;

    /// <summary>Converts a view.</summary>
    /// <param name="view">The view.</param>
    /// <param name="remainingBytes">Bytes from the start of the block or list to the end of the message.</param>
    /// <param name="index">The index in a list.</param>
    public static T OfView<T, TView, TConverter>(scoped TView view, int remainingBytes, int index = NoIndex)
        where TView : allows ref struct
        where TConverter : IViewConverter<T, TView>
    {
        try
        {
            return TConverter.FromView(view);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            throw Refused(TConverter.Member, index, remainingBytes, exception);
        }
    }

    /// <summary>Converts values that were copied.</summary>
    public static T[] OfAll<T, TWire, TView, TConverter>(TWire[] values, int remainingBytes)
        where TView : allows ref struct
        where TConverter : IWireConverter<T, TWire, TView>
    {
        var converted = new T[values.Length];
        var index = 0;
        try
        {
            for (; index < values.Length; index++)
            {
                converted[index] = TConverter.FromWire(values[index]);
            }
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            throw Refused(TConverter.Member, index, remainingBytes, exception);
        }

        return converted;
    }

    /// <summary>Converts values to their stored type, in a pooled array.</summary>
    public static SourceSpan<TWire> ToWire<T, TWire, TView, TConverter>(scoped ReadOnlySpan<T> values)
        where TView : allows ref struct
        where TConverter : IWireConverter<T, TWire, TView>
    {
        var converted = ArrayPool<TWire>.Shared.Rent(values.Length);
        for (var i = 0; i < values.Length; i++)
        {
            converted[i] = TConverter.ToWire(values[i]);
        }

        return new SourceSpan<TWire>(converted, values.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static MalformedMessageException Refused(string member, int index, int remainingBytes, Exception exception) =>
        new(WireRule.Conversion(index < 0 ? member : $"{member}[{index}]", exception.Message), remainingBytes, exception);
}
