using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>Keys in groups, with the hashes of each group: a processor begins to load what all of them need before the first one is read.</summary>
/// <param name="keys">The keys.</param>
/// <param name="hashes">Memory for the hashes of a group.</param>
internal ref struct KeyGroups<TKey>(ReadOnlySpan<TKey> keys, Span<ulong> hashes)
    where TKey : notnull
{
    /// <summary>The keys of a group: more loads than a processor has under way at the same time.</summary>
    public const int Length = 32;

    private readonly Span<ulong> _hashes = hashes;
    private ReadOnlySpan<TKey> _rest = keys;

    /// <summary>Gets the keys of the current group.</summary>
    public ReadOnlySpan<TKey> Keys { get; private set; }

    /// <summary>Gets their hashes.</summary>
    public readonly ReadOnlySpan<ulong> Hashes => _hashes[..Keys.Length];

    [SkipLocalsInit]
    public bool MoveNext()
    {
        Keys = _rest[..Math.Min(_rest.Length, _hashes.Length)];
        _rest = _rest[Keys.Length..];
        Span<byte> scratch = stackalloc byte[CacheKey.ScratchBytes];
        for (var i = 0; i < Keys.Length; i++)
        {
            using var encoded = new EncodedKey<TKey>(in Keys[i], scratch);
            _hashes[i] = XxHash64.Hash(encoded.Bytes);
        }

        return !Keys.IsEmpty;
    }
}
