namespace BufferedMessages.Hosting.Torture;

/// <summary>The effect of a message on a handler.</summary>
internal enum Mischief
{
    /// <summary>It is handled at once.</summary>
    None,

    /// <summary>It is handled after a wait.</summary>
    Wait,

    /// <summary>Its first attempt fails.</summary>
    ThrowOnce,

    /// <summary>Each attempt fails: it must become a dead letter.</summary>
    Throw,

    /// <summary>It kills the process before the handler's first statement, at the first attempt.</summary>
    KillFirst,

    /// <summary>It kills the process when its work has begun, before the await.</summary>
    KillBegun,

    /// <summary>It kills the process after the await, before its work is done.</summary>
    KillAfterAwait,

    /// <summary>It kills the process when its work is done, before the handler returns.</summary>
    KillDone,

    /// <summary>It kills the process at some moment after the handler has returned, which may be before or after the commit.</summary>
    KillReturned,

    /// <summary>It kills the process at every attempt: it must become a dead letter.</summary>
    KillAlways,
}

/// <summary>The mischief of messages.</summary>
internal static class Mischiefs
{
    private const int Bits = 4;
    private const int Mask = (1 << Bits) - 1;

    // Of this many messages for a handler, on average one does each.
    private const int ThrowOnce = 40;
    private const int Throw = 150;
    private const int Kill = 300;
    private const int KillAlways = 1_000;

    /// <summary>Draws the mischief of a message for all handlers.</summary>
    public static int Draw(Random random) =>
        Enumerable.Range(0, HandlerNames.All.Length).Aggregate(0, (all, handler) => all | ((int)DrawOne(random) << (handler * Bits)));

    /// <summary>The mischief of a message for a handler.</summary>
    public static Mischief Of(int mischief, int handler) => (Mischief)((mischief >> (handler * Bits)) & Mask);

    private static Mischief DrawOne(Random random)
    {
        if (random.Next(KillAlways) == 0)
        {
            return Mischief.KillAlways;
        }

        if (random.Next(Kill) == 0)
        {
            return (Mischief)random.Next((int)Mischief.KillFirst, (int)Mischief.KillAlways);
        }

        if (random.Next(Throw) == 0)
        {
            return Mischief.Throw;
        }

        return random.Next(ThrowOnce) == 0 ? Mischief.ThrowOnce : (Mischief)random.Next(2);
    }
}
