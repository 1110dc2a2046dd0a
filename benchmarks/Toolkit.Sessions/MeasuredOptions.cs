namespace BufferedMessages.Sessions;

/// <summary>The options that each session measures.</summary>
internal static class MeasuredOptions
{
    private static readonly string[] OfRuns = ["--directory", "--rounds", "--warmup", "--json"];

    private static readonly string[] OfQueue = [.. OfRuns, "--payload", "--mode", "--single-producer", "--pages", "--flush", "--slots", "--segment", "--messages"];

    public static string[] Throughput { get; } = [.. OfQueue, "--producers", "--consumers", "--group", "--stamps", "--batch", "--per-commit", "--seconds"];

    public static string[] Payloads { get; } = Without(Throughput, "--payload");

    // A queue for one producer has no row with four.
    public static string[] Shapes { get; } = Without(Throughput, "--producers", "--consumers", "--group", "--single-producer");

    public static string[] Flushes { get; } = Without(Throughput, "--mode", "--flush", "--slots");

    public static string[] Waits { get; } = [.. OfQueue, "--group"];

    public static string[] Wakeup => Waits;

    public static string[] Latency { get; } = [.. Waits, "--wait"];

    public static string[] OpenLoop { get; } = [.. Latency, "--rate", "--seconds"];

    // With warm pages there is one segment.
    public static string[] Rolls { get; } = [.. Without(OfQueue, "--mode", "--pages", "--slots"), "--wait"];

    public static string[] CatchUp { get; } = [.. Without(OfQueue, "--mode", "--pages", "--slots"), "--rate"];

    // Another producer goes on after the dead one.
    public static string[] Recovery { get; } = [.. Without(OfQueue, "--single-producer"), "--wait"];

    public static string[] Segments { get; } = [.. OfRuns, "--payload", "--single-producer", "--flush", "--messages"];

    public static string[] Typed { get; } = Without(OfQueue, "--payload");

    public static string[] Publish { get; } = Without(OfQueue, "--payload", "--pages");

    // Its messages need large segments.
    public static string[] Field { get; } = Without(Publish, "--slots", "--segment");

    public static string[] Page { get; } = [.. OfRuns, "--payload", "--single-producer", "--slots", "--segment", "--seconds"];

    public static string[] All { get; } = [.. OfRuns, "--messages", "--seconds"];

    public static string[] Steady { get; } = [.. OfRuns, "--case", "--shape", "--payload", "--per-commit", "--slots", "--segment", "--messages", "--seconds"];

    private static string[] Without(string[] options, params string[] others) => [.. options.Except(others)];
}
