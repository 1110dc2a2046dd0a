namespace BufferedMessages.Runtime.Tests.Messages;

public class ContentEqualsTests
{
    public static TheoryData<string, Action<Parcel>> Changes => new()
    {
        { "a value", static parcel => parcel.Id++ },
        { "a null for a value", static parcel => parcel.Price = null },
        { "a character", static parcel => parcel.Note += "!" },
        { "an empty string for null", static parcel => parcel.Names![1] = "" },
        { "a byte", static parcel => parcel.Photo![8]++ },
        { "a field of a struct", static parcel => parcel.Gap = new Gap { First = 1, Second = 3 } },
        { "a nested member", static parcel => parcel.Stamp!.Inner!.Motive = null },
        { "a nested message for null", static parcel => parcel.Stamp!.Inner!.Inner = new Stamp() },
        { "an element", static parcel => parcel.Stamps![1].Value++ },
        { "one element less", static parcel => parcel.Stamps!.RemoveAt(1) },
        { "an empty list for null", static parcel => parcel.Route = [] },
        { "a key", static parcel => parcel.Counts = new() { ["one"] = 1, ["three"] = 2 } },
        { "a value of a key", static parcel => parcel.Counts!["two"] = 3 },
        { "where an element belongs", static parcel => parcel.Matrix = [[1], [2, 3]] },
    };

    [Fact]
    public void Messages_of_the_same_content_are_equal()
    {
        var first = new ParcelBufferedMessage(Parcel.Full().ToMessageArray());
        var second = new ParcelBufferedMessage(Parcel.Full().ToMessageArray());

        Assert.True(first.ContentEquals(second));
    }

    [Theory]
    [MemberData(nameof(Changes))]
    public void A_change_makes_them_different(string what, Action<Parcel> change)
    {
        var changed = Parcel.Full();
        change(changed);

        var original = new ParcelBufferedMessage(Parcel.Full().ToMessageArray());
        Assert.False(original.ContentEquals(new ParcelBufferedMessage(changed.ToMessageArray())), what);
    }

    [Fact]
    public void Where_payloads_lie_makes_no_difference()
    {
        var message = new Stamp { Value = 4, Motive = "a motive of some length" }.ToMessageArray();

        // The text once more behind itself, and the slot leads there.
        var moved = new byte[message.Length + 24];
        message.CopyTo(moved, 0);
        message.AsSpan(^24..).CopyTo(moved.AsSpan(message.Length));
        BitConverter.TryWriteBytes(moved.AsSpan(4), moved.Length);
        var slot = moved.AsSpan(8 + 8);
        BitConverter.TryWriteBytes(slot[4..], BitConverter.ToInt32(slot[4..]) + 24);

        var view = new StampBufferedMessage(moved);
        Assert.Equal("a motive of some length", view.Motive.ToString());
        Assert.True(view.ContentEquals(new StampBufferedMessage(message)));
    }

    [Fact]
    public void A_nested_message_is_compared_without_what_is_around_it()
    {
        var first = new Parcel { Stamp = new Stamp { Motive = "a motive of some length" }, Names = ["first"] }.ToMessageArray();
        var second = new Parcel { Note = "a note of some length", Stamp = new Stamp { Motive = "a motive of some length" } }.ToMessageArray();

        Assert.True(new ParcelBufferedMessage(first).Stamp.ContentEquals(new ParcelBufferedMessage(second).Stamp));
    }

    [Fact]
    public void Null_equals_null_only()
    {
        var none = new ParcelBufferedMessage(new Parcel().ToMessageArray()).Stamp;
        var some = new ParcelBufferedMessage(new Parcel { Stamp = new Stamp() }.ToMessageArray()).Stamp;

        Assert.True(none.ContentEquals(none));
        Assert.False(none.ContentEquals(some));
        Assert.False(some.ContentEquals(none));
    }
}
