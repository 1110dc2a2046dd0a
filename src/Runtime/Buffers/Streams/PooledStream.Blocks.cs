using System.Runtime.ExceptionServices;

namespace BufferedMessages;

/// <content>
/// The blocks, and how they are added and removed.
/// <code>
/// a stream that grew       ┌─1 KB─┐┌──4 KB──┐┌────16 KB────┐┌──────64 KB──────┐ ... ┌──────128 KB──────┐ ... up to 1 MB
/// one of known size        ┌───────────── one buffer ─────────────┐
/// GetSpan with a large hint┌─1 KB─┐┌──4 KB, 3 used─╳ ┌──── the hint, 128 KB ────┐
/// </code>
/// </content>
public sealed partial class PooledStream
{
    private const int MaxGrowthBytes = 1024 * 1024;

    private static readonly int MaxBlockBytes = Array.MaxLength - BufferStore.MaxPinningBytes;

    // The rest of the block at a position, which is at most the length; after the last block a new one is opened.
    private Span<byte> Room(BufferStore pool, long position, long wanted)
    {
        var at = position - _blocks.Current.Start;
        if ((ulong)at >= (ulong)_blocks.Current.Bytes)
        {
            if (position == _blocks.Capacity)
            {
                AppendBlock(pool, NextBlockBytes(pool, wanted));
            }
            else
            {
                MoveToBlock(pool, _blocks.IndexOf(position));
            }

            at = position - _blocks.Current.Start;
        }

        return new Span<byte>(_blocks.Current.Buffer, _offset + (int)at, _blocks.Current.Bytes - (int)at);
    }

    // Four times the last block, so that a small stream takes little; then about half of what there is, so that a long one takes few blocks.
    // A write of known length takes one buffer that it fills.
    private int NextBlockBytes(BufferStore pool, long wanted)
    {
        var bytes = wanted <= pool.BlockBytes ? (int)wanted : pool.FilledBytes(wanted);
        return _blocks.Count == 0 ? bytes : Math.Max(bytes, GrownBytes(pool));
    }

    private int GrownBytes(BufferStore pool)
    {
        var capacity = _blocks.Capacity;
        return capacity < 4L * pool.BlockBytes
            ? (int)Math.Min(4L * pool.CapacityOf(_blocks.Last.Buffer), pool.BlockBytes)
            : pool.FilledBytes(Math.Min(capacity / 2, MaxGrowthBytes));
    }

    private void AppendBlock(BufferStore pool, int bytes) => AddBlock(pool, pool.RentBuffer(bytes));

    private void AddBlock(BufferStore pool, byte[] buffer)
    {
        _blocks.Add(buffer, BytesOf(pool, buffer, _blocks.Capacity));
        _offset = (byte)pool.OffsetOf(buffer);
    }

    // The stream's limit is the last block's, so the fast ways of writing need not check it.
    private static int BytesOf(BufferStore pool, byte[] buffer, long start) =>
        (int)Math.Min(pool.CapacityOf(buffer), pool.MaxStreamBytes - start);

    private void MoveToBlock(BufferStore pool, int index)
    {
        _blocks.MoveTo(index);
        _offset = (byte)pool.OffsetOf(_blocks.Current.Buffer);
    }

    // Extends the length with zeros; the position stays.
    private void Extend(BufferStore pool, long length)
    {
        if (_blocks.Count == 0 && length <= pool.LargestBytes)
        {
            AppendBlock(pool, (int)length);
        }

        while (_length < length)
        {
            var rest = length - _length;
            var room = Room(pool, _length, rest);
            room = room[..(int)Math.Min(room.Length, rest)];
            room.Clear();
            _length += room.Length;
        }
    }

    // Opens room for a hint at the end of the stream, if the block has less: blocks after it hold no content and are removed.
    private void OpenRoom(BufferStore pool, int wanted)
    {
        while (_blocks.Count > 0 && _blocks.Last.Start >= _length)
        {
            ReleaseLast(pool);
        }

        if (_blocks.Count == 0)
        {
            AppendBlock(pool, wanted);
            return;
        }

        ref var last = ref _blocks.Last;
        var used = (int)(_length - last.Start);
        var capacity = BytesOf(pool, last.Buffer, last.Start);
        if (capacity - used >= wanted)
        {
            last.Bytes = capacity;
            MoveToBlock(pool, _blocks.Count - 1);
        }
        else if (used < capacity / 4 && wanted <= MaxBlockBytes - used)
        {
            ReplaceLast(pool, used, wanted);
        }
        else
        {
            // Rented first, so that the stream is unchanged if that fails.
            var next = pool.RentBuffer(Math.Max(wanted, NextBlockBytes(pool, wanted)));
            last.Bytes = used;
            AddBlock(pool, next);
        }
    }

    // A block that is less than a quarter full would waste too much if it were left so: its few bytes move to one that has the room.
    private void ReplaceLast(BufferStore pool, int used, int wanted)
    {
        var larger = pool.RentBuffer(used + wanted);
        ref var last = ref _blocks.Last;
        last.Buffer.AsSpan(pool.OffsetOf(last.Buffer), used).CopyTo(larger.AsSpan(pool.OffsetOf(larger)));
        NoteChange();
        try
        {
            ReleaseLast(pool);
        }
        finally
        {
            // A length always has its blocks, even if a handler of the pool's events throws.
            AddBlock(pool, larger);
        }
    }

    private void ReleaseLast(BufferStore pool)
    {
        var block = RemoveLast(pool, out var isPinned);
        Release(pool, block, isPinned);
    }

    private void Release(BufferStore pool, in StreamBlock block, bool isPinned)
    {
        if (isPinned)
        {
            pool.DropBuffer(block.Buffer, BufferDropReason.StillPinned);
        }
        else
        {
            pool.ReturnBuffer(block.Buffer, UsedBytesOf(block));
        }
    }

    private StreamBlock RemoveLast(BufferStore pool, out bool isPinned)
    {
        isPinned = _extras is not null && _extras.Revoke(_blocks.Count - 1);
        var block = _blocks.RemoveLast();
        _offset = _blocks.Count == 0 ? (byte)0 : (byte)pool.OffsetOf(_blocks.Current.Buffer);
        return block;
    }

    private void ReleaseAll(BufferStore pool)
    {
        if (_extras is null && _blocks.IsSingle)
        {
            var only = _blocks.Current;
            _blocks.ForgetSingle();
            _offset = 0;
            pool.ReturnBuffer(only.Buffer, pool.OverwritesOnReturn ? UsedBytesOf(only) : 0);
            return;
        }

        ReleaseMany(pool);
    }

    // In order: the blocks that were written last are then on top of the stacks. They are in the processor's cache, and the next stream takes them first.
    // Each is returned, even if a handler of the pool's events throws; the first exception is thrown at the end. By then the stream has no blocks.
    private void ReleaseMany(BufferStore pool)
    {
        var released = _blocks;
        _blocks = default;
        _offset = 0;
        ExceptionDispatchInfo? failure = null;
        for (var i = 0; i < released.Count; i++)
        {
            try
            {
                Release(pool, released[i], _extras is not null && _extras.Revoke(i));
            }
            catch (Exception exception)
            {
                failure ??= ExceptionDispatchInfo.Capture(exception);
            }
        }

        released.Clear();
        ReleaseScratch();
        failure?.Throw();
    }

    private int UsedBytesOf(in StreamBlock block) =>
        Math.Max(block.Offered, (int)Math.Clamp(_length - block.Start, 0, block.Bytes));

    // Remembers bytes above a smaller length, which are to be cleared when the block is returned.
    private void RememberUsed(BufferStore pool, long length)
    {
        if (!pool.ClearsOnReturn)
        {
            return;
        }

        for (var i = _blocks.Count - 1; i >= 0 && _blocks[i].End > length; i--)
        {
            ref var block = ref _blocks.At(i);
            block.Offered = UsedBytesOf(block);
        }
    }
}
