using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The checks of the scalars of a schema text, each by the type that it is read as. Keys are some of them.</summary>
internal static class ScalarChecks
{
    private static readonly Dictionary<string, (ValueCheck Value, KeysCheck Keys)> All = new(StringComparer.Ordinal)
    {
        ["bool"] = Pair<bool>(),
        ["char"] = Pair<char>(),
        ["u8"] = Pair<byte>(),
        ["i8"] = Pair<sbyte>(),
        ["u16"] = Pair<ushort>(),
        ["i16"] = Pair<short>(),
        ["u32"] = Pair<uint>(),
        ["i32"] = Pair<int>(),
        ["u64"] = Pair<ulong>(),
        ["i64"] = Pair<long>(),
        ["u128"] = Pair<UInt128>(),
        ["i128"] = Pair<Int128>(),
        ["f16"] = Pair<Half>(),
        ["f32"] = Pair<float>(),
        ["f64"] = Pair<double>(),
        ["decimal"] = Pair<decimal>(),
        ["guid"] = Pair<Guid>(),
        ["datetime"] = Pair<DateTime>(),
        ["datetimeoffset"] = Pair<DateTimeOffset>(),
        ["timespan"] = Pair<TimeSpan>(),
        ["dateonly"] = Pair<DateOnly>(),
        ["timeonly"] = Pair<TimeOnly>(),
    };

    /// <summary>The check of a scalar.</summary>
    public static ValueCheck Of(string name) => All[name].Value;

    /// <summary>The check of keys of a scalar.</summary>
    public static KeysCheck KeysOf(string name) => All[name].Keys;

    private static (ValueCheck Value, KeysCheck Keys) Pair<T>()
        where T : unmanaged
        => (new ScalarCheck<T>(), new KeysCheck<ValueKeys<T>>());
}
