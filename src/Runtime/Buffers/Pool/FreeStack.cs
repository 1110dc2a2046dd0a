using System.Diagnostics;

namespace BufferedMessages;

/// <summary>The free buffers of one size. Last in, first out, so that used buffers are in the caches, and unneeded ones stay at the bottom. Thread-safe.</summary>
internal sealed class FreeStack(int bytes)
{
    private readonly Lock _gate = new();
    private byte[]?[] _buffers = [];
    private int _count;

    // The smallest count since the last trim: this number of buffers at the bottom was not needed in that time.
    private int _unneeded;

    private long _rented;
    private long _allocated;
    private long _returned;

    /// <summary>Bytes of a buffer.</summary>
    public int Bytes { get; } = bytes;

    /// <summary>Takes the buffer that came last, or counts one that is to be allocated.</summary>
    public byte[]? PopOrCountAllocation()
    {
        lock (_gate)
        {
            _rented++;
            if (_count == 0)
            {
                _allocated++;
                return null;
            }

            var buffer = _buffers[--_count]!;
            _buffers[_count] = null;
            _unneeded = Math.Min(_unneeded, _count);
            return buffer;
        }
    }

    /// <summary>Takes the counts back when the allocation failed.</summary>
    public void CountFailedAllocation()
    {
        lock (_gate)
        {
            _rented--;
            _allocated--;
        }
    }

    public void Push(byte[] buffer)
    {
        Debug.Assert(buffer.Length >= Bytes, "A stack holds buffers of its size.");
        lock (_gate)
        {
            if (_count == _buffers.Length)
            {
                Array.Resize(ref _buffers, Math.Max(4, 2 * _count));
            }

            _buffers[_count++] = buffer;
            _returned++;
        }
    }

    /// <summary>Counts a buffer that came back and goes to the garbage collector.</summary>
    public void CountDropped()
    {
        lock (_gate)
        {
            _returned++;
        }
    }

    /// <summary>Drops the buffers that were not needed since the last call.</summary>
    /// <returns>The number of dropped buffers.</returns>
    public int DropUnneeded()
    {
        lock (_gate)
        {
            return DropBottom(_unneeded);
        }
    }

    /// <summary>Drops all.</summary>
    /// <returns>The number of dropped buffers.</returns>
    public int DropAll()
    {
        lock (_gate)
        {
            return DropBottom(_count);
        }
    }

    /// <summary>The counts of this size, without the buffers that threads keep.</summary>
    public FreeStackCounts Read()
    {
        lock (_gate)
        {
            return new FreeStackCounts(_rented, _allocated, _returned, _count);
        }
    }

    private int DropBottom(int count)
    {
        Debug.Assert(count >= 0, "A count is not negative.");
        _count -= count;
        Array.Copy(_buffers, count, _buffers, 0, _count);
        Array.Clear(_buffers, _count, count);
        if (_count == 0)
        {
            _buffers = [];
        }

        _unneeded = _count;
        return count;
    }
}
