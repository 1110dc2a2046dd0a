using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A list of fixed-size values that a converter makes. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
/// <typeparam name="TWire">The type that is stored.</typeparam>
/// <typeparam name="TConverter">Converts between them.</typeparam>
/// <typeparam name="TElements">How the stored values are stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ConvertedElements<T, TWire, TConverter, TElements> : IListElements<T>
    where TConverter : IWireConverter<T, TWire, TWire>
    where TElements : IListElements<TWire>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlaces elements, ref MessageSize size, int depth)
    {
        using var values = Conversion.ToWire<T, TWire, TWire, TConverter>(elements.As<T>());
        TElements.AddSize(SourcePlaces.Of(values.Span), ref size, depth);
    }

    /// <inheritdoc/>
    public static int Append(scoped SourcePlaces elements, ref MessageWriter writer, int depth)
    {
        using var values = Conversion.ToWire<T, TWire, TWire, TConverter>(elements.As<T>());
        return TElements.Append(SourcePlaces.Of(values.Span), ref writer, depth);
    }

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, ListPlace place) =>
        Conversion.OfAll<T, TWire, TWire, TConverter>(TElements.Read(ref reader, place), place.RegionBytes);
}
