namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A random type and an older form of it, which has only its first members.</summary>
public abstract class EvolutionCase
{
    /// <summary>Checks that each form reads the messages of the other.</summary>
    public abstract void ReadEachOther(ArbitraryValues values);
}

/// <summary>What a generated program derives from for each of its types that have an older form.</summary>
public abstract class EvolutionCase<TOld, TNew> : EvolutionCase
    where TOld : IBufferedMessageSource<TOld>
    where TNew : IBufferedMessageSource<TNew>
{
    public override void ReadEachOther(ArbitraryValues values)
    {
        var newer = MakeNew(values);
        var newMessage = newer.ToMessageArray();
        Assert.True(VerifyOld(newMessage, out var error), error.ToString());
        AssertOldView(newer, newMessage);
        AssertOldView(newer, CopyOld(newMessage).ToMessageArray());

        var older = MakeOld(values);
        var oldMessage = older.ToMessageArray();
        Assert.True(VerifyNew(oldMessage, out error), error.ToString());
        AssertNewView(older, oldMessage);
        CopyNew(oldMessage);

        TOld.Schema.RequireCompatible(TNew.Schema.Text);
        TNew.Schema.RequireCompatible(TOld.Schema.Text);
    }

    protected abstract TOld MakeOld(ArbitraryValues values);

    protected abstract TNew MakeNew(ArbitraryValues values);

    /// <summary>Verifies a new message with the old view.</summary>
    protected abstract bool VerifyOld(ReadOnlySpan<byte> message, out MessageError error);

    /// <summary>Verifies an old message with the new view.</summary>
    protected abstract bool VerifyNew(ReadOnlySpan<byte> message, out MessageError error);

    /// <summary>The old view of a new message has the values of the new source.</summary>
    protected abstract void AssertOldView(TNew expected, ReadOnlySpan<byte> message);

    /// <summary>The new view of an old message has the values of the old source, and zero or null for the rest.</summary>
    protected abstract void AssertNewView(TOld expected, ReadOnlySpan<byte> message);

    protected abstract TOld CopyOld(ReadOnlySpan<byte> message);

    protected abstract TNew CopyNew(ReadOnlySpan<byte> message);
}
