namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>A random type and an older form of it, which has only its first members or cases.</summary>
public abstract class EvolutionCase
{
    /// <summary>Checks that each form reads the messages of the other.</summary>
    public abstract void ReadEachOther(ArbitraryValues values);
}

/// <summary>What a generated program derives from for each of its types that have an older form.</summary>
public abstract class EvolutionCase<TOld, TOldView, TNew, TNewView> : EvolutionCase
    where TOld : IBufferedMessageSource<TOld>
    where TOldView : IBufferedMessage<TOldView>, allows ref struct
    where TNew : IBufferedMessageSource<TNew>
    where TNewView : IBufferedMessage<TNewView>, allows ref struct
{
    public override void ReadEachOther(ArbitraryValues values)
    {
        ReadNewByOld(MakeNew(values));
        ReadOldByNew(MakeOld(values));

        TOld.Schema.RequireCompatible(TNew.Schema);
        TNew.Schema.RequireCompatible(TOld.Schema);
    }

    protected abstract TOld MakeOld(ArbitraryValues values);

    protected abstract TNew MakeNew(ArbitraryValues values);

    /// <summary>The old view of a new message has the values of the new source, and says which cases it does not know.</summary>
    protected abstract void AssertOldView(TNew expected, TOldView view, UnknownCases unknown);

    /// <summary>The new view of an old message has the values of the old source, and zero or null for the rest.</summary>
    protected abstract void AssertNewView(TOld expected, TNewView view);

    protected abstract TOld CopyOld(TOldView view);

    protected abstract TNew CopyNew(TNewView view);

    private static TOldView OldView(byte[] message) => BufferedMessage.Create<TOldView>(message);

    private static TNewView NewView(byte[] message) => BufferedMessage.Create<TNewView>(message);

    private void ReadNewByOld(TNew source)
    {
        var message = source.ToMessageArray();
        Assert.True(BufferedMessage.Verify<TOldView>(message, out var error), error.ToString());
        var unknown = new UnknownCases();
        AssertOldView(source, OldView(message), unknown);
        if (unknown.Count != 0)
        {
            Assert.Throws<UnknownCaseException>(() => CopyOld(OldView(message)));
            Assert.False(BufferedMessage.Verify<TOldView>(message, out _, exact: true), "A case that is not known is exact.");
            return;
        }

        AssertOldView(source, OldView(CopyOld(OldView(message)).ToMessageArray()), unknown);
    }

    private void ReadOldByNew(TOld source)
    {
        var message = source.ToMessageArray();
        Assert.True(BufferedMessage.Verify<TNewView>(message, out var error), error.ToString());
        AssertNewView(source, NewView(message));
        CopyNew(NewView(message));
    }
}
