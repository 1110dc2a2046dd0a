using Apache.Arrow;
using Apache.Arrow.Types;

namespace BufferedMessages.Tool;

/// <summary>A column of an Arrow file. A row is set first, and appended when the whole message is read. Serves one thread at a time.</summary>
/// <param name="name">Its name.</param>
/// <param name="type">Its type.</param>
internal abstract class ArrowColumn(string name, IArrowType type)
{
    private ArrowBuffer.BitmapBuilder _validity = new();
    private bool _isSet;

    /// <summary>Gets the name and the type.</summary>
    public Field Field { get; } = new(name, type, nullable: true);

    /// <summary>Gets the number of rows since the last batch.</summary>
    public int Count => _validity.Length;

    /// <summary>Gets the bytes of texts since the last batch.</summary>
    public virtual int TextBytes => 0;

    /// <summary>Sets the value of the row. A row that is not set is null.</summary>
    /// <param name="bytes">The value, as it is in the message.</param>
    public void Set(ReadOnlySpan<byte> bytes)
    {
        SetValue(bytes);
        _isSet = true;
    }

    /// <summary>Forgets the value of the row.</summary>
    public void Forget() => _isSet = false;

    /// <summary>Appends the row.</summary>
    public void Append()
    {
        AppendValue(_isSet);
        _validity.Append(_isSet);
        _isSet = false;
    }

    /// <summary>Gives the rows as a batch, and begins another one.</summary>
    public IArrowArray Take()
    {
        var array = ArrowArrayFactory.BuildArray(new ArrayData(Field.DataType, Count, _validity.UnsetBitCount, 0, [_validity.Build(), .. TakeBuffers()]));
        _validity = new ArrowBuffer.BitmapBuilder();
        return array;
    }

    /// <summary>Converts and keeps a value.</summary>
    protected abstract void SetValue(ReadOnlySpan<byte> bytes);

    /// <summary>Appends the value that is kept, or in its place nothing.</summary>
    protected abstract void AppendValue(bool isSet);

    /// <summary>Gives the buffers after that of the nulls, and begins others.</summary>
    protected abstract IEnumerable<ArrowBuffer> TakeBuffers();
}

/// <summary>The conversion of a value of a message to that of a column.</summary>
/// <param name="value">The value in the message.</param>
/// <param name="place">The place for the other one.</param>
internal delegate void ArrowConversion(ReadOnlySpan<byte> value, Span<byte> place);

/// <summary>A column of values of the same size.</summary>
internal sealed class ArrowValues(string name, FixedWidthType type, ArrowConversion convert) : ArrowColumn(name, type)
{
    private readonly byte[] _value = new byte[type.BitWidth / 8];
    private ArrowBuffer.Builder<byte> _values = new();

    protected override void SetValue(ReadOnlySpan<byte> bytes) => convert(bytes, _value);

    protected override void AppendValue(bool isSet)
    {
        if (!isSet)
        {
            System.Array.Clear(_value);
        }

        _values.Append(_value);
    }

    protected override IEnumerable<ArrowBuffer> TakeBuffers()
    {
        var values = _values.Build();
        _values = new ArrowBuffer.Builder<byte>();
        return [values];
    }
}

/// <summary>A column of booleans, a bit each.</summary>
internal sealed class ArrowBits(string name) : ArrowColumn(name, BooleanType.Default)
{
    private ArrowBuffer.BitmapBuilder _values = new();
    private bool _value;

    protected override void SetValue(ReadOnlySpan<byte> bytes) => _value = bytes[0] != 0;

    protected override void AppendValue(bool isSet) => _values.Append(isSet && _value);

    protected override IEnumerable<ArrowBuffer> TakeBuffers()
    {
        var values = _values.Build();
        _values = new ArrowBuffer.BitmapBuilder();
        return [values];
    }
}

/// <summary>The conversion of a value of a message to the bytes of a text.</summary>
internal delegate ReadOnlySpan<byte> ArrowTextConversion(ReadOnlySpan<byte> value);

/// <summary>A column of texts or bytes.</summary>
internal sealed class ArrowTexts(string name, IArrowType type, ArrowTextConversion convert) : ArrowColumn(name, type)
{
    private ArrowBuffer.Builder<byte> _content = new();
    private ArrowBuffer.Builder<int> _ends = First();
    private byte[] _value = [];

    public override int TextBytes => _content.Length;

    protected override void SetValue(ReadOnlySpan<byte> bytes) => _value = convert(bytes).ToArray();

    protected override void AppendValue(bool isSet)
    {
        if (isSet)
        {
            _content.Append(_value);
        }

        _ends.Append(_content.Length);
    }

    protected override IEnumerable<ArrowBuffer> TakeBuffers()
    {
        ArrowBuffer[] buffers = [_ends.Build(), _content.Build()];
        (_ends, _content) = (First(), new ArrowBuffer.Builder<byte>());
        return buffers;
    }

    private static ArrowBuffer.Builder<int> First() => new ArrowBuffer.Builder<int>().Append(0);
}
