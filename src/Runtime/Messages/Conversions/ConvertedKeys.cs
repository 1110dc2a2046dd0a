using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Keys that a converter makes. Their order and their lookup are those of the stored keys. For generated code.</summary>
/// <typeparam name="T">The C# type of a key.</typeparam>
/// <typeparam name="TWire">The type that is stored.</typeparam>
/// <typeparam name="TView">Its view.</typeparam>
/// <typeparam name="TConverter">Converts between them.</typeparam>
/// <typeparam name="TKeys">How the stored keys are stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ConvertedKeys<T, TWire, TView, TConverter, TKeys> : IKeys<T>
    where TView : allows ref struct
    where TConverter : IWireConverter<T, TWire, TView>
    where TKeys : IKeys<TWire>
{
    /// <inheritdoc/>
    public static int ElementBytes => TKeys.ElementBytes;

    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace key, ref MessageSize size)
    {
        var stored = StoredOf(key);
        TKeys.AddSize(SourcePlace.Of(in stored), ref size);
    }

    /// <inheritdoc/>
    public static void Encode(scoped SourcePlace key, ref KeyOrder order)
    {
        var stored = StoredOf(key);
        TKeys.Encode(SourcePlace.Of(in stored), ref order);
    }

    /// <inheritdoc/>
    public static void Append(ref KeyOrder order, ref MessageWriter writer) => TKeys.Append(ref order, ref writer);

    /// <inheritdoc/>
    public static T[] Read(ref ObjectReader reader, DictionaryTable table)
    {
        var keys = Conversion.OfAll<T, TWire, TView, TConverter>(TKeys.Read(ref reader, table), table.RegionBytes);
        if (SourceElements.ContainsNull<T>(keys))
        {
            Malformed.Throw(WireRule.NullKey, table.RegionBytes);
        }

        return keys;
    }

    static ulong IKeys.PrefixOf(scoped SourcePlace key)
    {
        var stored = StoredOf(key);
        return TKeys.PrefixOf(SourcePlace.Of(in stored));
    }

    static int IKeys.Compare(scoped SourcePlace left, scoped SourcePlace right)
    {
        var (first, second) = (StoredOf(left), StoredOf(right));
        return TKeys.Compare(SourcePlace.Of(in first), SourcePlace.Of(in second));
    }

    static void IKeys.Write(scoped SourcePlaces keys, ref MessageWriter writer, int position)
    {
        using var stored = Conversion.ToWire<T, TWire, TView, TConverter>(keys.As<T>());
        TKeys.Write(SourcePlaces.Of(stored.Span), ref writer, position);
    }

    private static TWire StoredOf(scoped SourcePlace key)
    {
        var source = key.Get<T>();
        if (!SourceElements.IsPresent(in source))
        {
            WriteFailure.ThrowNullKey();
        }

        var stored = TConverter.ToWire(source);
        if (!SourceElements.IsPresent(in stored))
        {
            WriteFailure.ThrowNullKey();
        }

        return stored;
    }
}
