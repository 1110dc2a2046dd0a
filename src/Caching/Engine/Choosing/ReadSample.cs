using System.Numerics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>
/// The reads of a part of the keys, in their order, for the trials of <see cref="EvictionChoice"/>. Reads add to it without a lock; some are lost when threads add at the same time, or when
/// the sample is not taken in time.
/// </summary>
internal sealed class ReadSample
{
    private const int Length = 16 * 1024;

    // From this bit on the hash selects neither a bucket of the index nor one of the copies. A sample of very many entries needs some bits before it too.
    private const int Shift = 52;

    private readonly ulong[] _hashes = new ulong[Length];
    private ulong _mask = ulong.MaxValue;
    private uint _next;
    private uint _taken;

    /// <summary>Gets whether the cache is so full that it matters how often its entries are read.</summary>
    public bool IsStarted => _mask != ulong.MaxValue;

    /// <summary>Samples one of a number of keys; none before the first call.</summary>
    /// <param name="rate">A power of two.</param>
    public void Start(long rate)
    {
        var bits = BitOperations.Log2((ulong)rate);
        Volatile.Write(ref _mask, ((1UL << bits) - 1) << Math.Min(Shift, 64 - bits));
    }

    /// <summary>Notes a read, if its key is in the sample.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Note(ulong hash)
    {
        if ((hash & _mask) == 0)
        {
            Add(hash);
        }
    }

    /// <summary>Takes the next read. One thread calls it.</summary>
    public bool TryTake(out ulong hash)
    {
        var next = Volatile.Read(ref _next);
        if (next - _taken > Length)
        {
            _taken = next - Length;
        }

        hash = _hashes[_taken % Length];
        if (_taken == next)
        {
            return false;
        }

        _taken++;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Add(ulong hash)
    {
        var next = _next;
        _hashes[next % Length] = hash;
        Volatile.Write(ref _next, next + 1);
    }
}
