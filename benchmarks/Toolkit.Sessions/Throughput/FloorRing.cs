using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>
/// The least that two processes need to pass messages: a ring of slots for one producer and one consumer. A slot is a word, the
/// number of the message in it, and the payload; nothing survives a crash, and no side sleeps. Each process uses one side of it.
/// A side that has caught up with the other is patient: it looks again when many messages are there.
/// </summary>
internal sealed unsafe class FloorRing(SharedMemory memory, SessionOptions options)
{
    private const int HeaderBytes = 16;
    private const long MostMessagesPerCursor = 256;
    private const int SpinsPerLook = 2;

    private static readonly long PauseTicks = (long)(Stopwatch.Frequency * TimeSpan.FromMicroseconds(9).TotalSeconds);

    private readonly long _slots = options.RingBytes / options.RecordBytes;

    // The cursor moves several times a lap, else each side would wait for the other; by a power of two, which costs no division.
    private readonly long _cursorMask = (long)BitOperations.RoundUpToPowerOf2((ulong)Math.Clamp(options.RingBytes / options.RecordBytes / 4, 1, MostMessagesPerCursor) + 1) / 2 - 1;
    private long _next = Volatile.Read(ref *memory.RingCursor);

    /// <summary>Publishes a batch. Compiled at once for good: how warm the floor is must not decide the ratio.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Publish(Span<byte> payload, long first, int messages)
    {
        var slotBytes = options.RecordBytes;
        var end = memory.Ring + (_slots * slotBytes);
        var slot = memory.Ring + (_next % _slots * slotBytes);
        var number = _next;
        var room = Volatile.Read(ref *memory.RingCursor) + _slots;
        for (var i = 0; i < messages; i++)
        {
            if (number == room)
            {
                room = AwaitRoom(number);
            }

            MemoryMarshal.Write(payload, first + i);
            payload.CopyTo(new Span<byte>(slot + HeaderBytes, payload.Length));
            Volatile.Write(ref *(long*)slot, ++number);
            slot += slotBytes;
            if (slot == end)
            {
                slot = memory.Ring;
            }
        }

        _next = number;
    }

    /// <summary>Reads a batch, and adds up what the messages begin with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public long Read(int messages)
    {
        var slotBytes = options.RecordBytes;
        var end = memory.Ring + (_slots * slotBytes);
        var slot = memory.Ring + (_next % _slots * slotBytes);
        var number = _next;
        var cursorMask = _cursorMask;
        var sum = 0L;
        for (var i = 0; i < messages; i++)
        {
            number++;
            if (Volatile.Read(ref *(long*)slot) != number)
            {
                AwaitMessage(slot, number);
            }

            sum += *(long*)(slot + HeaderBytes);
            if ((number & cursorMask) == 0)
            {
                Volatile.Write(ref *memory.RingCursor, number);
            }

            slot += slotBytes;
            if (slot == end)
            {
                slot = memory.Ring;
            }
        }

        Volatile.Write(ref *memory.RingCursor, number);
        _next = number;
        return sum;
    }

    private long AwaitRoom(long number)
    {
        long cursor;
        while ((cursor = Volatile.Read(ref *memory.RingCursor)) + _slots == number)
        {
            Pause();
        }

        return cursor + _slots;
    }

    private static void AwaitMessage(byte* slot, long number)
    {
        do
        {
            Pause();
        }
        while (Volatile.Read(ref *(long*)slot) != number);
    }

    // Looks that are too early take the cache line away from the other side. docs/performance-queues.md has the rates with other pauses.
    private static void Pause()
    {
        var start = Stopwatch.GetTimestamp();
        do
        {
            Thread.SpinWait(SpinsPerLook);
        }
        while (Stopwatch.GetTimestamp() - start < PauseTicks);
    }
}
