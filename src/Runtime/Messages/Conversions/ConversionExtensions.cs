using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Extensions that read members by a converter. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ConversionExtensions
{
    /// <summary>Reads a string or a binary.</summary>
    public static T ReadConverted<T, TView, TConverter>(this BlockReader block, int offset)
        where TView : IBufferedElement<TView>, allows ref struct
        where TConverter : IViewConverter<T, TView>
        => Conversion.OfView<T, TView, TConverter>(TView.Read(block, offset), block.RegionBytes);

    /// <summary>Reads a fixed-size value; the converter gets zero if the writer did not know the member.</summary>
    public static T ReadConvertedValue<T, TWire, TConverter>(this BlockReader block, int offset)
        where TWire : unmanaged
        where TConverter : IViewConverter<T, TWire>
        => Conversion.OfView<T, TWire, TConverter>(block.Read<TWire>(offset), block.RegionBytes);

    /// <summary>Reads a fixed-size value that may be null.</summary>
    /// <inheritdoc cref="BlockReader.ReadNullable{T}" path="/param"/>
    public static T ReadConvertedNullable<T, TWire, TConverter>(this BlockReader block, int offset, int presenceBit)
        where TWire : unmanaged
        where TConverter : IViewConverter<T, TWire?>
        => Conversion.OfView<T, TWire?, TConverter>(block.ReadNullable<TWire>(offset, presenceBit), block.RegionBytes);

    /// <summary>Reads a list.</summary>
    public static BufferedConvertedList<T, TView, TList, TConverter> ReadConvertedList<T, TView, TList, TConverter>(this BlockReader block, int offset)
        where TView : allows ref struct
        where TList : IBufferedList<TList, TView>, allows ref struct
        where TConverter : IViewConverter<T, TView>
        => new(block.ReadPlace(offset));

    /// <inheritdoc cref="ReadConvertedValue{T, TWire, TConverter}(BlockReader, int)"/>
    public static T ReadConvertedValue<T, TWire, TConverter>(this BlockBuilder block, int offset)
        where TWire : unmanaged
        where TConverter : IViewConverter<T, TWire>
        => Conversion.OfView<T, TWire, TConverter>(block.Read<TWire>(offset), block.RegionBytes);

    /// <inheritdoc cref="ReadConvertedNullable{T, TWire, TConverter}(BlockReader, int, int)"/>
    public static T ReadConvertedNullable<T, TWire, TConverter>(this BlockBuilder block, int offset, int presenceBit)
        where TWire : unmanaged
        where TConverter : IViewConverter<T, TWire?>
        => Conversion.OfView<T, TWire?, TConverter>(block.ReadNullable<TWire>(offset, presenceBit), block.RegionBytes);
}
