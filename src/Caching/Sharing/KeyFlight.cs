namespace BufferedMessages.Caching;

/// <summary>A lock of a key in <see cref="KeyFlights"/>; the default value is none.</summary>
internal readonly struct KeyFlight : IDisposable
{
    private readonly KeyFlights? _flights;
    private readonly long _number;

    private KeyFlight(KeyFlights flights, long number)
    {
        _flights = flights;
        _number = number;
    }

    public static bool TryBegin(KeyFlights flights, long number, out KeyFlight flight)
    {
        var isEntered = flights.TryEnter(number);
        flight = isEntered ? new KeyFlight(flights, number) : default;
        return isEntered;
    }

    public void Dispose() => _flights?.Exit(_number);
}
