using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>An extension and two copies of its count. The one with the higher number counts; the other one is overwritten next.</summary>
internal struct ExtensionRow
{
    public const int LongestName = 31;

    private ExtensionCount _even;
    private ExtensionCount _odd;
    private byte _nameBytes;
    private NameBuffer _name;

    /// <summary>The count; its number is 0 as long as the row is free.</summary>
    [UnscopedRef]
    public readonly ref readonly ExtensionCount Count => ref _even.Number > _odd.Number ? ref _even : ref _odd;

    /// <summary>The extension in UTF-8, at most <see cref="LongestName"/> bytes.</summary>
    [UnscopedRef]
    public ReadOnlySpan<byte> Name
    {
        readonly get => ((ReadOnlySpan<byte>)_name)[.._nameBytes];
        set
        {
            value.CopyTo(_name);
            _nameBytes = (byte)value.Length;
        }
    }

    /// <summary>Counts one more file.</summary>
    public void Add(long number, long bytes)
    {
        ref readonly var now = ref Count;
        ref var next = ref _even.Number > _odd.Number ? ref _odd : ref _even;
        next.Files = now.Files + 1;
        next.Bytes = now.Bytes + bytes;
        Volatile.Write(ref next.Number, number);
    }

    [InlineArray(LongestName)]
    private struct NameBuffer
    {
        private byte _first;
    }
}
