using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>Calls that reach the listeners of spans and meters. Listeners run in the flow of the work that they watch, so their exceptions are dropped: they must not end that work.</summary>
internal static class QuietTelemetry
{
    /// <summary>Creates an instrument or a source of spans, of which listeners are told.</summary>
    /// <returns>Null if a listener fails: an exception in the initializer of a type would end all later work with the type.</returns>
    public static T? Create<T>(Func<T> create)
        where T : class
    {
        try
        {
            return create();
        }
        catch (Exception)
        {
            return null;
        }
    }

    /// <summary>Starts a span.</summary>
    /// <returns>Null if no listener wants it, or if one fails.</returns>
    public static Activity? Start<T>(T state, Func<T, Activity?> start)
    {
        var current = Activity.Current;
        try
        {
            return start(state);
        }
        catch (Exception)
        {
            // The span may have begun, and would be the parent of others forever.
            Activity.Current = current;
            return null;
        }
    }

    /// <summary>Tells listeners of a measurement, or of a span.</summary>
    public static void Tell<T>(T state, Action<T> tell)
    {
        try
        {
            tell(state);
        }
        catch (Exception)
        {
            // The work goes on.
        }
    }

    /// <summary>Ends a span.</summary>
    public static void Stop(Activity? span) => Tell(span, static span => span?.Dispose());
}
