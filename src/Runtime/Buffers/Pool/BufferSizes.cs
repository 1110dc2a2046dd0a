using System.Diagnostics;
using System.Numerics;

namespace BufferedMessages;

/// <summary>
/// The sizes of a pool's buffers by class: four blocks, each a quarter of the next, then the large buffers.
/// <code>
/// class      0     1     2     3     4       5       6     ...
/// exponential 1 KB 4 KB  16 KB 64 KB 128 KB  256 KB  512 KB
/// linear      1 KB 4 KB  16 KB 64 KB 128 KB  256 KB  384 KB
/// </code>
/// </summary>
internal sealed class BufferSizes
{
    /// <summary>The number of block sizes.</summary>
    public const int BlockClasses = 4;

    private const int MaxLargeSizes = 4096;

    private readonly int _smallestShift;
    private readonly int _largeBytes;
    private readonly bool _isLinear;

    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    public BufferSizes(BufferPoolOptions options)
    {
        BlockBytes = options.BlockBytes;
        _smallestShift = BitOperations.Log2((uint)BlockBytes) - (2 * (BlockClasses - 1));
        _largeBytes = options.LargeBufferBytes;
        _isLinear = options.LargeBufferGrowth == LargeBufferGrowth.Linear;
        if (_largeBytes <= BlockBytes)
        {
            throw new ArgumentException($"LargeBufferBytes is {_largeBytes}, but must be more than BlockBytes, which is {BlockBytes}.", nameof(options));
        }

        if (options.MaxPooledBufferBytes < _largeBytes)
        {
            throw new ArgumentException($"MaxPooledBufferBytes is {options.MaxPooledBufferBytes}, but must be at least LargeBufferBytes, which is {_largeBytes}.", nameof(options));
        }

        var ratio = options.MaxPooledBufferBytes / _largeBytes;
        var largeClasses = _isLinear ? ratio : BitOperations.Log2((uint)ratio) + 1;
        if (largeClasses > MaxLargeSizes)
        {
            throw new ArgumentException(
                $"There would be {largeClasses} sizes of large buffers, but at most {MaxLargeSizes} are allowed: set a larger LargeBufferBytes, or exponential growth.", nameof(options));
        }

        Count = BlockClasses + largeClasses;
        LargestBytes = BytesOf(Count - 1);
    }

    /// <summary>The number of classes.</summary>
    public int Count { get; }

    /// <summary>Bytes of the largest block.</summary>
    public int BlockBytes { get; }

    /// <summary>Bytes of the largest buffer that is pooled.</summary>
    public int LargestBytes { get; }

    /// <summary>The smallest class that holds a number of bytes, at most <see cref="LargestBytes"/>.</summary>
    public int ClassOf(int bytes)
    {
        Debug.Assert(bytes >= 0 && bytes <= LargestBytes, "Larger buffers belong to no class.");
        if (bytes <= BlockBytes)
        {
            var units = (uint)Math.Max(bytes - 1, 0) >> _smallestShift;
            return units == 0 ? 0 : (BitOperations.Log2(units) >> 1) + 1;
        }

        var multiple = (bytes - 1) / _largeBytes;
        return BlockClasses + (_isLinear || multiple == 0 ? multiple : BitOperations.Log2((uint)multiple) + 1);
    }

    /// <summary>
    /// Bytes of the buffer for content above <see cref="BlockBytes"/>: the smallest that holds it all, unless more than a quarter of that and more than a block would stay empty;
    /// then the next smaller one, which the content fills.
    /// </summary>
    public int FilledBytes(long bytes)
    {
        if (bytes >= LargestBytes)
        {
            return LargestBytes;
        }

        var sizeClass = ClassOf((int)bytes);
        var whole = BytesOf(sizeClass);
        return sizeClass > 0 && whole - bytes > Math.Max(whole / 4, BlockBytes) ? BytesOf(sizeClass - 1) : whole;
    }

    /// <summary>Bytes of a buffer of a class.</summary>
    public int BytesOf(int sizeClass)
    {
        Debug.Assert(sizeClass >= 0 && sizeClass < Count, "The class exists.");
        if (sizeClass < BlockClasses)
        {
            return 1 << (_smallestShift + (2 * sizeClass));
        }

        var step = sizeClass - BlockClasses;
        return _isLinear ? _largeBytes * (step + 1) : _largeBytes << step;
    }
}
