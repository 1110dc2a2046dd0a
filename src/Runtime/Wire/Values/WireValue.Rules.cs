using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>The check whether stored bits are a value.</content>
internal static partial class WireValue
{
    private const int DecimalUnknownFlags = 0x7F00_FFFF;
    private const int DecimalScaleShift = 16;
    private const int DecimalMaxScale = 28;
    private const int MaxOffsetMinutes = 14 * 60;
    private const int OffsetBits = 16;

    /// <summary>Whether some bit patterns are not values of the type, so that each is checked when it is read.</summary>
    public static bool IsChecked<T>()
        where T : unmanaged
        => typeof(T) == typeof(bool)
            || typeof(T) == typeof(decimal)
            || typeof(T) == typeof(DateTime)
            || typeof(T) == typeof(DateTimeOffset)
            || typeof(T) == typeof(DateOnly)
            || typeof(T) == typeof(TimeOnly);

    /// <summary>Whether the stored bits are those of a value, even if a reader would accept others.</summary>
    public static bool IsValid<T>(ref byte source)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool))
        {
            return source <= 1;
        }

        if (typeof(T) == typeof(decimal))
        {
            return IsDecimal(Unsafe.ReadUnaligned<int>(ref source));
        }

        if (typeof(T) == typeof(DateTime))
        {
            var stored = Unsafe.ReadUnaligned<ulong>(ref source);
            return IsDateTime((long)(stored & TicksMask), (DateTimeKind)(stored >> KindShift));
        }

        if (typeof(T) == typeof(DateTimeOffset))
        {
            var utcTicks = Unsafe.ReadUnaligned<long>(ref source);
            var offset = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, sizeof(long)));
            return IsDateTimeOffset(utcTicks, LocalTicks(utcTicks, (short)offset), (short)offset) && offset >> OffsetBits == 0;
        }

        if (typeof(T) == typeof(DateOnly))
        {
            return IsDayNumber(Unsafe.ReadUnaligned<int>(ref source));
        }

        return typeof(T) != typeof(TimeOnly) || IsTimeOfDay(Unsafe.ReadUnaligned<long>(ref source));
    }

    private static bool IsDecimal(int flags) =>
        (flags & DecimalUnknownFlags) == 0 && ((flags >> DecimalScaleShift) & 0xFF) <= DecimalMaxScale;

    private static bool IsDateTime(long ticks, DateTimeKind kind) => ticks <= DateTime.MaxValue.Ticks && kind <= DateTimeKind.Local;

    private static bool IsDateTimeOffset(long utcTicks, long localTicks, short minutes) =>
        (ulong)utcTicks <= (ulong)DateTime.MaxValue.Ticks
        && (ulong)localTicks <= (ulong)DateTime.MaxValue.Ticks
        && minutes is >= -MaxOffsetMinutes and <= MaxOffsetMinutes;

    private static bool IsDayNumber(int dayNumber) => (uint)dayNumber <= (uint)DateOnly.MaxValue.DayNumber;

    private static bool IsTimeOfDay(long ticks) => (ulong)ticks <= (ulong)TimeOnly.MaxValue.Ticks;

    private static long LocalTicks(long utcTicks, short minutes) => unchecked(utcTicks + (minutes * TimeSpan.TicksPerMinute));
}
