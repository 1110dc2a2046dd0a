using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The storage of fixed-size values. Most are stored as they are in memory; the others (bool, decimal, dates) are encoded and
/// checked here. Every <c>typeof</c> comparison is decided when the JIT compiles the method for a value type; a bit cast, unlike one
/// through object, allocates nothing in unoptimised code either.
/// </summary>
internal static partial class WireValue
{
    private const ulong TicksMask = 0x3FFF_FFFF_FFFF_FFFF;
    private const int KindShift = 62;

    /// <summary>Whether a misaligned span of values may be returned: on x64 and ARM64 it costs nothing.</summary>
    private static readonly bool AllowsMisalignedSpans =
        RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64 or Architecture.X86;

    /// <summary>Whether the values can be copied in bulk when writing: they are stored as in memory.</summary>
    public static bool IsCopied<T>()
        where T : unmanaged
        => typeof(T) != typeof(bool) && typeof(T) != typeof(DateTime) && typeof(T) != typeof(DateTimeOffset);

    /// <summary>
    /// The alignment of the values of a list in bytes: that of the CLR, at most 8, and 8 for the 16-byte types.
    /// </summary>
    public static int AlignmentOf<T>()
        where T : unmanaged
        => typeof(T) == typeof(Guid) ? 8 : Math.Min(8, Unsafe.SizeOf<AlignmentProbe<T>>() - Unsafe.SizeOf<T>());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Read<T>(ref byte source, int remaining)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool))
        {
            return Unsafe.BitCast<bool, T>(source != 0);
        }

        if (typeof(T) == typeof(decimal))
        {
            return Unsafe.BitCast<decimal, T>(ReadDecimal(ref source, remaining));
        }

        if (typeof(T) == typeof(DateTime))
        {
            return Unsafe.BitCast<DateTime, T>(ReadDateTime(ref source, remaining));
        }

        if (typeof(T) == typeof(DateTimeOffset))
        {
            return Unsafe.BitCast<DateTimeOffset, T>(ReadDateTimeOffset(ref source, remaining));
        }

        if (typeof(T) == typeof(DateOnly))
        {
            return Unsafe.BitCast<DateOnly, T>(ReadDateOnly(ref source, remaining));
        }

        if (typeof(T) == typeof(TimeOnly))
        {
            return Unsafe.BitCast<TimeOnly, T>(ReadTimeOnly(ref source, remaining));
        }

        return Unsafe.ReadUnaligned<T>(ref source);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write<T>(ref byte destination, T value)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool))
        {
            destination = Unsafe.BitCast<T, bool>(value) ? (byte)1 : (byte)0;
        }
        else if (typeof(T) == typeof(DateTime))
        {
            var time = Unsafe.BitCast<T, DateTime>(value);
            Unsafe.WriteUnaligned(ref destination, (ulong)time.Ticks | ((ulong)time.Kind << KindShift));
        }
        else if (typeof(T) == typeof(DateTimeOffset))
        {
            var time = Unsafe.BitCast<T, DateTimeOffset>(value);
            Unsafe.WriteUnaligned(ref destination, time.UtcTicks);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 8), (ulong)(ushort)(short)time.TotalOffsetMinutes);
        }
        else
        {
            Unsafe.WriteUnaligned(ref destination, value);
        }
    }

    /// <summary>Returns values in place; only for types for which every bit pattern is valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<T> AsSpan<T>(ref byte start, int count)
        where T : unmanaged
    {
        if (!AllowsMisalignedSpans)
        {
            RequireAligned<T>(ref start);
        }

        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<byte, T>(ref start), count);
    }

    // SAFETY: Compares the address and reads nothing.
    private static unsafe void RequireAligned<T>(ref byte start)
        where T : unmanaged
    {
        if ((nuint)Unsafe.AsPointer(ref start) % (nuint)AlignmentOf<T>() != 0)
        {
            throw new PlatformNotSupportedException(
                "This processor cannot read misaligned values in place. Copy the message to memory that is aligned to 8 bytes first.");
        }
    }

    private static decimal ReadDecimal(ref byte source, int remaining)
    {
        // Copied once, then checked: another process may change the bytes in between.
        var value = Unsafe.ReadUnaligned<decimal>(ref source);
        var flags = Unsafe.As<decimal, int>(ref value);
        if (!IsDecimal(flags))
        {
            Malformed.ThrowValue(nameof(Decimal), remaining);
        }

        return value;
    }

    private static DateTime ReadDateTime(ref byte source, int remaining)
    {
        var stored = Unsafe.ReadUnaligned<ulong>(ref source);
        var ticks = (long)(stored & TicksMask);
        var kind = (DateTimeKind)(stored >> KindShift);
        if (!IsDateTime(ticks, kind))
        {
            Malformed.ThrowValue(nameof(DateTime), remaining);
        }

        return new DateTime(ticks, kind);
    }

    private static DateTimeOffset ReadDateTimeOffset(ref byte source, int remaining)
    {
        var utcTicks = Unsafe.ReadUnaligned<long>(ref source);
        var minutes = Unsafe.ReadUnaligned<short>(ref Unsafe.Add(ref source, 8));
        var localTicks = LocalTicks(utcTicks, minutes);
        if (!IsDateTimeOffset(utcTicks, localTicks, minutes))
        {
            Malformed.ThrowValue(nameof(DateTimeOffset), remaining);
        }

        return new DateTimeOffset(localTicks, new TimeSpan(minutes * TimeSpan.TicksPerMinute));
    }

    private static DateOnly ReadDateOnly(ref byte source, int remaining)
    {
        var dayNumber = Unsafe.ReadUnaligned<int>(ref source);
        if (!IsDayNumber(dayNumber))
        {
            Malformed.ThrowValue(nameof(DateOnly), remaining);
        }

        return DateOnly.FromDayNumber(dayNumber);
    }

    private static TimeOnly ReadTimeOnly(ref byte source, int remaining)
    {
        var ticks = Unsafe.ReadUnaligned<long>(ref source);
        if (!IsTimeOfDay(ticks))
        {
            Malformed.ThrowValue(nameof(TimeOnly), remaining);
        }

        return new TimeOnly(ticks);
    }

    // The CLR pads the first byte up to the alignment of the value after it.
    private readonly struct AlignmentProbe<T>(byte first, T value)
        where T : unmanaged
    {
        public readonly byte First = first;
        public readonly T Value = value;
    }
}
